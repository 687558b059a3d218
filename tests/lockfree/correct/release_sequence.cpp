// The same as in buggy, with an update for the second step: it carries on what the store has released.
// expect: nothing
#include <atomic>
#include <thread>

int data = 0;
std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data = 1;
    stage.store(1, std::memory_order_release);
    stage.fetch_add(1, std::memory_order_relaxed);
  });
  const int seen = stage.load(std::memory_order_acquire) == 2 ? data : 1;
  writer.join();
  return seen == 1 ? 0 : 1;
}
