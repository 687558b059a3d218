// Message passing to a thread that spins for the flag: it always gets the message.
// outcome: r1=1
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x = 0, y = 0;
int r1 = 0;

int main() {
  std::thread one([] {
    x.store(1);
    y.store(1, std::memory_order_release);
  });
  std::thread two([] {
    while (y.load(std::memory_order_acquire) == 0) {
    }
    r1 = x.load();
  });
  one.join();
  two.join();
  std::printf("r1=%d\n", r1);
}
