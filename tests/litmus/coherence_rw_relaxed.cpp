// Coherence of a read and a write (CoRW), with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 x=1
// outcome: r1=0 x=2
// outcome: r1=2 x=1
// interleavings: 3
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    r1 = x.load(std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
  });
  std::thread two([] { x.store(2, std::memory_order_relaxed); });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
