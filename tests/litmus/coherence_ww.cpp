// Coherence of two writes (CoWW): one thread writes x twice, the other reads it.
// The second write is the one that stays.
// outcome: r1=0 x=2
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
    x.store(2);
  });
  std::thread two([] { r1 = x.load(); });
  one.join();
  two.join();
  std::printf("r1=%d x=%d\n", r1, x.load());
}
