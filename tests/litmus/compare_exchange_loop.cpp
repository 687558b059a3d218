// Two threads increment x by a loop of compare-exchange: no increment is lost.
// outcome: x=2
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0;

int main() {
  std::thread one([] {
    int seen = x.load();
    while (!x.compare_exchange_weak(seen, seen + 1)) {
    }
  });
  std::thread two([] {
    int seen = x.load();
    while (!x.compare_exchange_weak(seen, seen + 1)) {
    }
  });
  one.join();
  two.join();
  std::printf("x=%d\n", x.load());
}
