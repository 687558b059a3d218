// A relaxed store follows the store that releases, in the same thread. The reader that sees the second one is ordered
// after the first under C++17; since C++20 it is not.
// expect: finds=race
#include <atomic>
#include <thread>

int data = 0;
std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data = 1;
    stage.store(1, std::memory_order_release);
    stage.store(2, std::memory_order_relaxed);
  });
  const int seen = stage.load(std::memory_order_acquire) == 2 ? data : 1;
  writer.join();
  return seen == 1 ? 0 : 1;
}
