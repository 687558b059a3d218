// The cost of a scheduling point at a lock and at an atomic, each with two operations that could continue. Prints both
// in nanoseconds. There are two locks, because an operation that waits for one leaves no choice; there is one atomic.
#include <heddle/heddle.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

constexpr int kEach = 2000;

std::mutex locks[2];
std::atomic<int> counter = 0;

/// The best of several rounds.
class Point {
 public:
  template <typename Work>
  void measure(const Work& work) {
    heddle::Options options;
    options.strategy = "random";
    options.executions = 100;
    options.points = "atomic";  // in every execution: an atomic that is none costs time, and counts as no step
    options.output = heddle::Output::quiet;
    const auto start = std::chrono::steady_clock::now();
    const heddle::Result result = heddle::explore(
        [&] {
          std::thread other(work, 1);
          work(0);
          other.join();
        },
        options);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best_ = std::min(best_, taken.count() / static_cast<double>(result.steps));
  }
  double ns() const { return best_; }

 private:
  double best_ = 1e9;
};

}  // namespace

int main() {
  Point at_lock, at_atomic;
  for (int round = 0; round < 30; ++round) {
    at_lock.measure([](int which) {
      for (int i = 0; i < kEach; ++i) {
        locks[which].lock();
        locks[which].unlock();
      }
    });
    at_atomic.measure([](int) {
      for (int i = 0; i < kEach; ++i) counter.fetch_add(1);
    });
  }
  std::printf("%f %f\n", at_lock.ns(), at_atomic.ns());
}
