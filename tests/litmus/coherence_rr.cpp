// Coherence of two reads (CoRR): one thread writes x twice, the other reads it twice.
// The second read never sees an older value than the first.
// outcome: r1=0 r2=0
// outcome: r1=0 r2=1
// outcome: r1=0 r2=2
// outcome: r1=1 r2=1
// outcome: r1=1 r2=2
// outcome: r1=2 r2=2
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    x.store(1);
    x.store(2);
  });
  std::thread two([] {
    r1 = x.load();
    r2 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d\n", r1, r2);
}
