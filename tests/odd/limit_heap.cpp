// odd: the program needs more memory than heddle leaves it where addresses are limited, and fails without it
// expect: refused: the limit of addresses for a process is 390625 KB (ulimit -v) exit=4
// limit: as=400000000
#include <cstdlib>
#include <thread>

int main() {
  std::thread thread([] {
    for (int i = 0; i < 250; ++i)
      if (std::malloc(1 << 20) == nullptr) std::abort();
  });
  thread.join();
}
