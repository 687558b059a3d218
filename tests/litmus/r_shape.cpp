// The shape R: one thread writes x and y, the other writes y and reads x.
// If its y stays, it came after both writes of the first and sees x: not r1=0 y=2.
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
    x.store(1);
    y.store(1);
  });
  std::thread two([] {
    y.store(2);
    r1 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d y=%d\n", r1, y.load());
}
