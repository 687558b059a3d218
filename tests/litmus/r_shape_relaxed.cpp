// The shape R, with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 y=1
// outcome: r1=1 y=1
// outcome: r1=1 y=2
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    x.store(1, std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread two([] {
    y.store(2, std::memory_order_relaxed);
    r1 = x.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("r1=%d y=%d\n", r1, y.load());
}
