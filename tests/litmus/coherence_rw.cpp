// Coherence of a read and a write (CoRW): one thread reads x and writes it, the other writes it.
// A write that was read comes before the own: not r1=2 x=2.
// outcome: r1=0 x=1
// outcome: r1=0 x=2
// outcome: r1=2 x=1
// interleavings: 3
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    r1 = x.load();
    x.store(1);
  });
  std::thread two([] { x.store(2); });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
