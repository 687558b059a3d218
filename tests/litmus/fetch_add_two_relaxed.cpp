// Two threads draw a number each by fetch_add, with relaxed order: never the same, on any machine.
// outcome: r1=0 r2=1
// outcome: r1=1 r2=0
// interleavings: 2
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] { r1 = x.fetch_add(1, std::memory_order_relaxed); });
  std::thread two([] { r2 = x.fetch_add(1, std::memory_order_relaxed); });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
