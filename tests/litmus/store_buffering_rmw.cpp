// Store buffering in which each thread writes by an exchange: one access, which both reads and writes.
// outcome: r1=0 r2=1
// outcome: r1=1 r2=0
// outcome: r1=1 r2=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    x.exchange(1);
    r1 = y.load();
  });
  std::thread two([] {
    y.exchange(1);
    r2 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
