// Message passing, with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 r2=0
// outcome: r1=0 r2=1
// outcome: r1=1 r2=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    x.store(1, std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread two([] {
    r1 = y.load(std::memory_order_relaxed);
    r2 = x.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
