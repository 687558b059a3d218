// The cost of malloc and free of one block, in nanoseconds, for blocks of 64 KB and of 4 KB. It is built twice: plain,
// where the loop runs by itself, and instrumented, where it runs in a body that heddle explores.
#ifdef HEDDLE_BENCH_EXPLORED
#include <heddle/heddle.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

void make_blocks(std::size_t bytes, int count) {
  for (int i = 0; i < count; ++i) {
    void* volatile block = std::malloc(bytes);
    std::free(block);
  }
}

/// In a second thread: what an only thread allocates is not watched.
void run(std::size_t bytes, int count) {
#ifdef HEDDLE_BENCH_EXPLORED
  heddle::Options options;
  options.strategy = "random";
  options.executions = 1;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  heddle::explore([&] { std::thread(make_blocks, bytes, count).join(); }, options);
#else
  std::thread(make_blocks, bytes, count).join();
#endif
}

double run_ns(std::size_t bytes, int count) {
  const auto start = std::chrono::steady_clock::now();
  run(bytes, count);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// The difference of a short run and a long one, each the best of several rounds: what surrounds the loop does not
/// count.
double pair_ns(std::size_t bytes) {
#ifdef HEDDLE_BENCH_EXPLORED
  constexpr int kTimes = 2;  // heddle makes one more execution than it counts
#else
  constexpr int kTimes = 1;
#endif
  constexpr int kRounds = 10;
  constexpr int kFew = 500;
  constexpr int kMany = 2500;
  double few = 1e18;
  double many = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    few = std::min(few, run_ns(bytes, kFew));
    many = std::min(many, run_ns(bytes, kMany));
  }
  return (many - few) / ((kMany - kFew) * kTimes);
}

}  // namespace

int main() { std::printf("%f %f\n", pair_ns(64 << 10), pair_ns(4 << 10)); }
