// Two writes by two threads (2+2W): both write both variables, in opposite orders.
// The last write of all is one of the second writes, of a 2: not x=1 y=1.
// outcome: x=1 y=2
// outcome: x=2 y=1
// outcome: x=2 y=2
// interleavings: 6
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;

int main() {
  std::thread one([] {
    x.store(1);
    y.store(2);
  });
  std::thread two([] {
    y.store(1);
    x.store(2);
  });
  one.join();
  two.join();
  std::printf("x=%d y=%d\n", x.load(), y.load());
}
