// Two threads increment a plain variable: a read and a write each, and a data race. An increment may be lost.
// outcome: x=1
// outcome: x=2
// interleavings: 6
#include <cstdio>
#include <thread>

int x = 0;

int main() {
  std::thread one([] { ++x; });
  std::thread two([] { ++x; });
  one.join();
  two.join();
  std::printf("x=%d\n", x);
}
