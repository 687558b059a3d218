// Message passing: one thread writes the message x and then the flag y, the other reads the flag and then the message.
// Who sees the flag sees the message: not r1=1 r2=0.
// outcome: r1=0 r2=0
// outcome: r1=0 r2=1
// outcome: r1=1 r2=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    x.store(1);
    y.store(1);
  });
  std::thread two([] {
    r1 = y.load();
    r2 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
