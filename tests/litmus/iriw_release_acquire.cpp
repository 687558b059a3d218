// Independent reads of independent writes, with release and acquire.
// Under sequential consistency the order changes nothing.
// outcome: r1=0 r2=0 r3=0 r4=0
// outcome: r1=0 r2=0 r3=0 r4=1
// outcome: r1=0 r2=0 r3=1 r4=0
// outcome: r1=0 r2=0 r3=1 r4=1
// outcome: r1=0 r2=1 r3=0 r4=0
// outcome: r1=0 r2=1 r3=0 r4=1
// outcome: r1=0 r2=1 r3=1 r4=0
// outcome: r1=0 r2=1 r3=1 r4=1
// outcome: r1=1 r2=0 r3=0 r4=0
// outcome: r1=1 r2=0 r3=0 r4=1
// outcome: r1=1 r2=0 r3=1 r4=1
// outcome: r1=1 r2=1 r3=0 r4=0
// outcome: r1=1 r2=1 r3=0 r4=1
// outcome: r1=1 r2=1 r3=1 r4=0
// outcome: r1=1 r2=1 r3=1 r4=1
// interleavings: 180
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0, r3 = 0, r4 = 0;

int main() {
  std::thread one([] { x.store(1, std::memory_order_release); });
  std::thread two([] { y.store(1, std::memory_order_release); });
  std::thread three([] {
    r1 = x.load(std::memory_order_acquire);
    r2 = y.load(std::memory_order_acquire);
  });
  std::thread four([] {
    r3 = y.load(std::memory_order_acquire);
    r4 = x.load(std::memory_order_acquire);
  });
  one.join();
  two.join();
  three.join();
  four.join();
  std::printf("r1=%d r2=%d r3=%d r4=%d\n", r1, r2, r3, r4);
}
