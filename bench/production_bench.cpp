// Machines on the pool of threads against the C++ Actor Framework, both with the same number of threads, and two
// threads against one. Rounds of all alternate, and a figure is the median of the rounds' ratios, so that other load on
// the machine hits all of them.
//
// What two threads can give is measured in every round as well, with threads that do nothing but spin. The rows
// `..._of_spinning` are relative to that: of the pairs, what two threads gain over one, relative to what two
// independent loops gain; of the fan-in with work, events per second, relative to one thread that sends numbers through
// a bounded queue to another one, which does the same work for each. All of this needs as many free processors as there
// are threads: on a busy machine, threads that spin wait for each other's turn.
#include <algorithm>
#include <array>
#include <atomic>
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
constexpr std::uint32_t kBallsOfPair = 500;
constexpr std::uint32_t kMeetings = 200'000;
constexpr std::uint32_t kEach = 200'000;
constexpr std::uint32_t kEachWithWork = 50'000;
constexpr std::uint32_t kHops = 1'000'000;
constexpr std::uint32_t kUnits = 20'000'000;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double spin(std::uint32_t threads) {
  return nanoseconds([&] {
    std::vector<std::thread> all;
    for (std::uint32_t i = 0; i < threads; ++i) all.emplace_back([] { work(kUnits); });
    for (std::thread& one : all) one.join();
  });
}

/// How much more work two threads do in the same time.
double spinning_two_over_one() {
  const double one = spin(1);
  return 2 * one / spin(2);
}

/// One thread sends, and another works for each number that it receives.
double spinning_fan_in(std::uint32_t count, std::uint32_t units) {
  constexpr std::uint32_t kPlaces = 4096;
  static std::array<std::uint32_t, kPlaces> places;
  alignas(64) std::atomic<std::uint32_t> sent{0};
  alignas(64) std::atomic<std::uint32_t> received{0};
  const auto send = [&] {
    for (std::uint32_t i = 0; i < count; ++i) {
      while (i - received.load(std::memory_order_acquire) >= kPlaces) {
      }
      places[i % kPlaces] = i;
      sent.store(i + 1, std::memory_order_release);
    }
  };
  const auto receive = [&] {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < count;) {
      for (const std::uint32_t end = sent.load(std::memory_order_acquire); i < end; ++i) {
        sum += places[i % kPlaces];
        work(units);
      }
      received.store(i, std::memory_order_release);
    }
    asm volatile("" ::"r"(sum));
  };
  return nanoseconds([&] {
    std::thread sender(send), receiver(receive);
    sender.join();
    receiver.join();
  });
}

struct Times {
  double ping_pong, chameneos, fan_in, fan_in_work, pairs, making, passing;
};

Times heddle(std::uint32_t threads, std::uint32_t units) {
  const RingTimes ring = heddle_ring(threads, kHops);
  return {heddle_ping_pong(threads, kBalls),
          heddle_chameneos(threads, kMeetings),
          heddle_fan_in(threads, kEach),
          heddle_fan_in_work(threads, kEachWithWork, units),
          heddle_pairs(threads, kBallsOfPair),
          ring.making_ns,
          ring.passing_ns};
}

Times caf(std::uint32_t threads, std::uint32_t units) {
  const RingTimes ring = caf_ring(threads, kHops);
  return {caf_ping_pong(threads, kBalls),
          caf_chameneos(threads, kMeetings),
          caf_fan_in(threads, kEach),
          caf_fan_in_work(threads, kEachWithWork, units),
          caf_pairs(threads, kBallsOfPair),
          ring.making_ns,
          ring.passing_ns};
}

struct Row {
  const char* name;
  double Times::*time;
  double count;  // of events
};

constexpr Row kRows[] = {
    {"ping_pong", &Times::ping_pong, 2.0 * kBalls},
    {"chameneos", &Times::chameneos, 4.0 * kMeetings},
    {"fan_in", &Times::fan_in, 1.0 * kSenders* kEach},
    {"fan_in_work", &Times::fan_in_work, 1.0 * kSenders* kEachWithWork},
    {"pairs", &Times::pairs, 2.0 * kPairs* kBallsOfPair},
    {"ring", &Times::passing, 1.0 * kHops + kRing},
    {"ring_making", &Times::making, 1.0 * kRing},
};

struct Round {
  Times heddle, heddle_one, caf, caf_one;
  double spinning;         // two threads over one
  double spinning_fan_in;  // nanoseconds
};

template <typename Value>
double median_of(const std::vector<Round>& rounds, const Value& value) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(value(round));
  return median(values);
}

void report(Figures& figures, const std::vector<Round>& rounds, const Row& row) {
  const std::string name = row.name;
  const auto figure = [&](const std::string& suffix, Times Round::*ours, Times Round::*theirs) {
    figures.add_ratio(
        "actors/production_over_caf_" + name + suffix,
        median_of(rounds, [&](const Round& round) { return (round.*theirs).*row.time / ((round.*ours).*row.time); }),
        "CAF");
    figures.add("actors/production_" + name + suffix,
                row.count / median_of(rounds, [&](const Round& round) { return (round.*ours).*row.time; }) * 1e3,
                "M/s");
  };
  figure("", &Round::heddle, &Round::caf);
  figure("_one_thread", &Round::heddle_one, &Round::caf_one);
  const auto two_over_one = [&](const Round& round) { return round.heddle_one.*row.time / (round.heddle.*row.time); };
  figures.add_ratio("actors/production_two_over_one_" + name, median_of(rounds, two_over_one),
                    "actors/production_" + name + "_one_thread");
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t threads = std::max(2u, std::thread::hardware_concurrency());
  const double unit_ns = nanoseconds([] { work(kUnits); }) / kUnits;
  const auto units = static_cast<std::uint32_t>(kWorkNs / unit_ns);
  std::vector<Round> rounds;
  for (int i = 0; i < kRounds; ++i)
    rounds.push_back({heddle(threads, units), heddle(1, units), caf(threads, units), caf(1, units),
                      spinning_two_over_one(), spinning_fan_in(kSenders * kEachWithWork, units)});
  Figures figures;
  for (const Row& row : kRows) report(figures, rounds, row);
  figures.add_ratio("actors/spinning_two_over_one",
                    median_of(rounds, [](const Round& round) { return round.spinning; }), "one thread that spins");
  const auto pairs = [](const Round& round) { return round.heddle_one.pairs / round.heddle.pairs / round.spinning; };
  const auto fan_in = [](const Round& round) { return round.spinning_fan_in / round.heddle.fan_in_work; };
  figures.add_ratio("actors/production_pairs_of_spinning", median_of(rounds, pairs), "actors/spinning_two_over_one");
  figures.add_ratio("actors/production_fan_in_work_of_spinning", median_of(rounds, fan_in), "two threads that spin");
  return figures.write(argc, argv);
}
