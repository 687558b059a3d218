// Two writes by two threads (2+2W), with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: x=1 y=2
// outcome: x=2 y=1
// outcome: x=2 y=2
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;

int main() {
  std::thread one([] {
    x.store(1, std::memory_order_relaxed);
    y.store(2, std::memory_order_relaxed);
  });
  std::thread two([] {
    y.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("x=%d y=%d\n", x.load(), y.load());
}
