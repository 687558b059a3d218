// The shape S, with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 x=1
// outcome: r1=0 x=2
// outcome: r1=1 x=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    x.store(2, std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread two([] {
    r1 = y.load(std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
