// Load buffering: each thread reads one variable and then writes the other.
// Nobody reads what is written later: not both read 1.
// outcome: r1=0 r2=0
// outcome: r1=0 r2=1
// outcome: r1=1 r2=0
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    r1 = x.load();
    y.store(1);
  });
  std::thread two([] {
    r2 = y.load();
    x.store(1);
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
