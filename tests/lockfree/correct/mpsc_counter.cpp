// Two producers count by fetch_add; the consumer looks when both have ended, so the order may be relaxed.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> sent = 0;

void produce() {
  for (int i = 0; i < 2; ++i) sent.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread one(produce);
  std::thread two(produce);
  one.join();
  two.join();
  assert(sent == 4);
}
