// The cost of a step among many operations that look at the same memory: a plain read of one variable that all read,
// and an atomic load. Prints four figures in nanoseconds a step: the read with few threads and with many, then the
// load.
//
// Between two reads an operation locks and unlocks a lock of its own, so that each read is made at a new moment.
#include <heddle/heddle.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

int shared = 1;
std::atomic<int> flag{1};

void read(int rounds) {
  std::mutex own;
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += shared;
    own.lock();
    own.unlock();
  }
  if (sum < 0) std::puts("");
}

void load(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += flag.load();
  if (sum < 0) std::puts("");
}

using Work = void (*)(int);
constexpr int kExecutions = 2;

struct Taken {
  double ns;
  double steps;
};

Taken run(Work work, int threads, int rounds) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = kExecutions;
  options.points = "atomic";
  options.steps_max = 10'000'000;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  const auto start = std::chrono::steady_clock::now();
  const heddle::Result result = heddle::explore(
      [&] {
        std::vector<std::thread> all;
        for (int i = 0; i < threads; ++i) all.emplace_back(work, rounds);
        for (std::thread& thread : all) thread.join();
      },
      options);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return {taken.count(), static_cast<double>(result.steps)};
}

/// What one more step costs: the difference of a short run and a long one, each the best of several rounds.
class Step {
 public:
  Step(Work work, int threads) : work_(work), threads_(threads), rounds_(40'000 / threads) {}

  void measure() {
    const Taken few = run(work_, threads_, rounds_ / 4);
    const Taken many = run(work_, threads_, rounds_ + rounds_ / 4);
    few_ = std::min(few_, few.ns);
    many_ = std::min(many_, many.ns);
    steps_ = many.steps - few.steps;
  }

  /// heddle makes one more execution than it counts.
  double ns() const { return (many_ - few_) / steps_ * kExecutions / (kExecutions + 1); }

 private:
  Work work_;
  int threads_;
  int rounds_;
  double few_ = 1e18;
  double many_ = 1e18;
  double steps_ = 0;
};

}  // namespace

int main() {
  constexpr int kRounds = 5;
  Step steps[] = {{read, 16}, {read, 1000}, {load, 16}, {load, 1000}};
  for (int round = 0; round < kRounds; ++round)
    for (Step& step : steps) step.measure();
  for (const Step& step : steps) std::printf("%f ", step.ns());
  std::puts("");
}
