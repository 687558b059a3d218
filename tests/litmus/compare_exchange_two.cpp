// Two threads replace 0 by their own value by compare-exchange: exactly one succeeds, and its value stays.
// outcome: r1=0 r2=1 x=2
// outcome: r1=1 r2=0 x=1
// interleavings: 2
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;
int r1 = 0, r2 = 0;

int main() {
  std::thread one([] {
    int expected = 0;
    r1 = x.compare_exchange_strong(expected, 1) ? 1 : 0;
  });
  std::thread two([] {
    int expected = 0;
    r2 = x.compare_exchange_strong(expected, 2) ? 1 : 0;
  });
  one.join();
  two.join();
  std::printf("r1=%d r2=%d x=%d\n", r1, r2, x.load());
}
