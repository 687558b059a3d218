// Write-to-read causality (WRC), with relaxed order.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 r2=0 r3=0
// outcome: r1=0 r2=0 r3=1
// outcome: r1=0 r2=1 r3=0
// outcome: r1=0 r2=1 r3=1
// outcome: r1=1 r2=0 r3=0
// outcome: r1=1 r2=0 r3=1
// outcome: r1=1 r2=1 r3=1
// interleavings: 30
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0, r3 = 0;

int main() {
  std::thread one([] { x.store(1, std::memory_order_relaxed); });
  std::thread two([] {
    r1 = x.load(std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread three([] {
    r2 = y.load(std::memory_order_relaxed);
    r3 = x.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  three.join();
  std::printf("r1=%d r2=%d r3=%d\n", r1, r2, r3);
}
