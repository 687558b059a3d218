// The shape S: one thread writes x and y, the other reads y and writes x.
// If it sees y, its x comes after the first thread's and stays: not r1=1 x=2.
// outcome: r1=0 x=1
// outcome: r1=0 x=2
// outcome: r1=1 x=1
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    x.store(2);
    y.store(1);
  });
  std::thread two([] {
    r1 = y.load();
    x.store(1);
  });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
