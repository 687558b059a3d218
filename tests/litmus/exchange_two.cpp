// Two threads exchange x for their own value: the first gets 0, the second what the first has put.
// outcome: r1=0 r2=1 x=2
// outcome: r1=2 r2=0 x=1
// interleavings: 2
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] { r1 = x.exchange(1); });
  std::thread two([] { r2 = x.exchange(2); });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d x=%d\n", r1, r2, x.load());
}
