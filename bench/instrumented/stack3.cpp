// An execution of a lock-free stack: under heddle, with atomics as points and races watched, and on the floor. Prints
// both in nanoseconds, the best of several rounds, measured alternately.
#include <heddle/heddle.hpp>

#include <atomic>
#include <cstdio>
#include <thread>

#include "../figures.hpp"
#include "stack_program.hpp"

double stack3_on_floor_ns(int executions);

namespace {

struct Standard {
  using Thread = std::thread;
  template <typename Value>
  using Atomic = std::atomic<Value>;
};

double under_heddle_ns(int executions) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = static_cast<std::uint64_t>(executions);
  options.points = "atomic";
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return bench::nanoseconds([&] { (void)heddle::explore(bench::stack3<Standard>, options); }) / executions;
}

}  // namespace

int main() {
  constexpr int kExecutions = 5'000;
  bench::Best heddle, floor;
  for (int round = 0; round < 30; ++round) {
    floor.least(stack3_on_floor_ns(kExecutions));
    heddle.least(under_heddle_ns(kExecutions));
  }
  std::printf("%f %f\n", heddle.value(), floor.value());
}
