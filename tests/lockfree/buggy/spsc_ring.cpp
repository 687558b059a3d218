// A ring for one producer and one consumer, which publishes the slot before it is filled: the consumer sees the new
// count and reads what was in the slot before.
// expect: finds=assertion|race
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

constexpr std::size_t kSlots = 2;
constexpr int kItems = 3;

int slots[kSlots];
std::atomic<std::size_t> put_count = 0;
std::atomic<std::size_t> got_count = 0;

void put(int item) {
  const std::size_t count = put_count.load(std::memory_order_relaxed);
  while (count - got_count.load(std::memory_order_acquire) == kSlots) {
  }
  put_count.store(count + 1, std::memory_order_release);
  slots[count % kSlots] = item;
}

int get() {
  const std::size_t count = got_count.load(std::memory_order_relaxed);
  while (put_count.load(std::memory_order_acquire) == count) {
  }
  const int item = slots[count % kSlots];
  got_count.store(count + 1, std::memory_order_release);
  return item;
}

int main() {
  std::thread producer([] {
    for (int item = 1; item <= kItems; ++item) put(item);
  });
  for (int item = 1; item <= kItems; ++item) {
    const int got = get();
    assert(got == item);
  }
  producer.join();
}
