// A pool of buffers kept as Treiber's stack, whose head is a number and a count of its changes in one word: a head that
// was taken and given back has another count, and the exchange of whoever saw the earlier one fails.
// expect: nothing
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Buffer {
  std::atomic<uint32_t> next = 0;
  bool is_used = false;  // belongs to whoever has taken the buffer
};

Buffer buffers[3];               // the first is none: 0 ends the stack
std::atomic<uint64_t> head = 0;  // changes << 32 | number

uint32_t number_of(uint64_t seen) { return static_cast<uint32_t>(seen); }

uint64_t after(uint64_t seen, uint32_t number) { return ((seen >> 32) + 1) << 32 | number; }

void give(uint32_t number) {
  buffers[number].is_used = false;
  uint64_t seen = head.load(std::memory_order_relaxed);
  do {
    buffers[number].next.store(number_of(seen), std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(seen, after(seen, number), std::memory_order_acq_rel));
}

uint32_t take() {
  uint64_t seen = head.load(std::memory_order_acquire);
  while (number_of(seen) != 0) {
    Buffer& buffer = buffers[number_of(seen)];
    const uint32_t next = buffer.next.load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(seen, after(seen, next), std::memory_order_acq_rel)) {
      assert(!buffer.is_used);
      buffer.is_used = true;
      return number_of(seen);
    }
  }
  return 0;
}

int main() {
  give(2);
  give(1);
  std::thread one([] {
    take();
    take();
  });
  std::thread two([] {
    const uint32_t first = take();
    take();
    if (first != 0) give(first);
  });
  one.join();
  two.join();
}
