// Message passing over a third thread (ISA2): x and y are written, whoever reads y writes z, whoever reads z reads x.
// Not r1=1 r2=1 r3=0.
// outcome: r1=0 r2=0 r3=0
// outcome: r1=0 r2=0 r3=1
// outcome: r1=0 r2=1 r3=0
// outcome: r1=0 r2=1 r3=1
// outcome: r1=1 r2=0 r3=0
// outcome: r1=1 r2=0 r3=1
// outcome: r1=1 r2=1 r3=1
// interleavings: 90
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0, z = 0;
int r1 = 0, r2 = 0, r3 = 0;

int main() {
  std::thread one([] {
    x.store(1);
    y.store(1);
  });
  std::thread two([] {
    r1 = y.load();
    z.store(1);
  });
  std::thread three([] {
    r2 = z.load();
    r3 = x.load();
  });
  one.join();
  two.join();
  three.join();
  std::printf("r1=%d r2=%d r3=%d\n", r1, r2, r3);
}
