// Machines on the pool of threads against the C++ Actor Framework, both with the same number of threads. Rounds of the
// two alternate, and a figure is the median of the rounds' ratios, so that other load on the machine hits both.
#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "actor_programs.hpp"
#include "figures.hpp"

namespace {

using namespace bench;

constexpr int kRounds = 7;
constexpr std::uint32_t kBalls = 300'000;
constexpr std::uint32_t kMeetings = 200'000;
constexpr std::uint32_t kEach = 200'000;
constexpr std::uint32_t kHops = 1'000'000;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Of one program: the two times of every round.
class Rounds {
 public:
  void add(double heddle_ns, double caf_ns) {
    ratios_.push_back(caf_ns / heddle_ns);
    heddle_.push_back(heddle_ns);
  }
  void report(Figures& figures, const std::string& name, double count) const {
    figures.add_ratio("actors/production_over_caf_" + name, median(ratios_), "CAF");
    figures.add("actors/production_" + name, count / median(heddle_) * 1e3, "M/s");
  }

 private:
  std::vector<double> ratios_, heddle_;
};

void compare(Figures& figures, std::uint32_t threads, const std::string& suffix) {
  Rounds ping_pong, chameneos, fan_in, making, passing;
  for (int round = 0; round < kRounds; ++round) {
    ping_pong.add(heddle_ping_pong(threads, kBalls), caf_ping_pong(threads, kBalls));
    chameneos.add(heddle_chameneos(threads, kMeetings), caf_chameneos(threads, kMeetings));
    fan_in.add(heddle_fan_in(threads, kEach), caf_fan_in(threads, kEach));
    const RingTimes ours = heddle_ring(threads, kHops), theirs = caf_ring(threads, kHops);
    making.add(ours.making_ns, theirs.making_ns);
    passing.add(ours.passing_ns, theirs.passing_ns);
  }
  ping_pong.report(figures, "ping_pong" + suffix, 2.0 * kBalls);
  chameneos.report(figures, "chameneos" + suffix, 4.0 * kMeetings);
  fan_in.report(figures, "fan_in" + suffix, 1.0 * kSenders * kEach);
  passing.report(figures, "ring" + suffix, 1.0 * kHops + kRing);
  making.report(figures, "ring_making" + suffix, 1.0 * kRing);
}

}  // namespace

int main(int argc, char** argv) {
  Figures figures;
  compare(figures, std::max(2u, std::thread::hardware_concurrency()), "");
  compare(figures, 1, "_one_thread");
  return figures.write(argc, argv);
}
