// Three threads draw a number each by fetch_add: all six orders, and never the same twice.
// outcome: r1=0 r2=1 r3=2
// outcome: r1=0 r2=2 r3=1
// outcome: r1=1 r2=0 r3=2
// outcome: r1=1 r2=2 r3=0
// outcome: r1=2 r2=0 r3=1
// outcome: r1=2 r2=1 r3=0
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0, r2 = 0, r3 = 0;

int main() {
  std::thread one([] { r1 = x.fetch_add(1); });
  std::thread two([] { r2 = x.fetch_add(1); });
  std::thread three([] { r3 = x.fetch_add(1); });
  one.join();
  two.join();
  three.join();
  std::printf("r1=%d r2=%d r3=%d\n", r1, r2, r3);
}
