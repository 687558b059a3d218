// A pool of buffers kept as Treiber's stack, whose head is a number and a count of its changes in one word: a head that
// was taken and given back has another count, and the exchange of whoever saw the earlier one fails.
// expect: nothing
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Buffer {
  std::atomic<uint32_t> next = 0;
};

Buffer buffers[3];               // the first is none: 0 ends the stack
std::atomic<uint64_t> head = 0;  // changes << 32 | number

uint32_t number_of(uint64_t seen) { return static_cast<uint32_t>(seen); }

uint64_t after(uint64_t seen, uint32_t number) { return ((seen >> 32) + 1) << 32 | number; }

void give(uint32_t number) {
  uint64_t seen = head.load(std::memory_order_relaxed);
  do {
    buffers[number].next.store(number_of(seen), std::memory_order_relaxed);
  } while (!head.compare_exchange_weak(seen, after(seen, number), std::memory_order_acq_rel));
}

uint32_t take() {
  uint64_t seen = head.load(std::memory_order_acquire);
  while (number_of(seen) != 0) {
    const uint32_t next = buffers[number_of(seen)].next.load(std::memory_order_relaxed);
    if (head.compare_exchange_weak(seen, after(seen, next), std::memory_order_acq_rel)) return number_of(seen);
  }
  return 0;
}

uint32_t take_all() {
  uint64_t seen = head.load(std::memory_order_acquire);
  while (!head.compare_exchange_weak(seen, after(seen, 0), std::memory_order_acq_rel)) {
  }
  return number_of(seen);
}

int main() {
  give(2);
  give(1);
  uint32_t one_has = 0, two_has = 0;
  std::thread one([&] { one_has = take(); });
  std::thread two([&] {
    const uint32_t first = take_all();
    const uint32_t second = buffers[first].next.load(std::memory_order_relaxed);
    give(first);
    two_has = second;
  });
  one.join();
  two.join();
  const uint32_t left = take();
  assert(one_has == 0 || one_has != two_has);
  assert(left == 0 || (left != one_has && left != two_has));
}
