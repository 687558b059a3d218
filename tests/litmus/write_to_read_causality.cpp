// Write-to-read causality (WRC): one thread writes x, one reads x and writes y, one reads y and then x.
// Who sees y sees what its writer saw: not r1=1 r2=1 r3=0.
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
  std::thread one([] { x.store(1); });
  std::thread two([] {
    r1 = x.load();
    y.store(1);
  });
  std::thread three([] {
    r2 = y.load();
    r3 = x.load();
  });
  one.join();
  two.join();
  three.join();
  std::printf("r1=%d r2=%d r3=%d\n", r1, r2, r3);
}
