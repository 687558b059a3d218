// Coherence of a write and a read (CoWR): one thread writes x and reads it, the other writes it.
// The read sees the own write or one that came after it, which then stays: not r1=2 x=1.
// outcome: r1=1 x=1
// outcome: r1=1 x=2
// outcome: r1=2 x=2
// interleavings: 3
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    x.store(1);
    r1 = x.load();
  });
  std::thread two([] { x.store(2); });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
