// Message passing to a thread that spins for the flag with a function that hands out what it has read: each round
// writes a variable of the thread's own, which is a scheduling point like any other access, and leaves the same there.
// outcome: r1=1
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0;

[[gnu::noinline]] bool is_set(const std::atomic<int>& flag, int* seen) {
  *seen = flag.load(std::memory_order_acquire);
  return *seen != 0;
}

int main() {
  std::thread one([] {
    x.store(1);
    y.store(1, std::memory_order_release);
  });
  std::thread two([] {
    int seen;  // set by the first round: what was there before is anything
    while (!is_set(y, &seen)) {
    }
    r1 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d\n", r1);
}
