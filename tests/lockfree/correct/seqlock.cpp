// A sequence lock, after Boehm, 2012: what it guards is in relaxed atomics, the fences keep their accesses between the
// two of the version, and a reader that sees another version than before reads again.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> version = 0;  // odd while somebody writes
std::atomic<int> x = 0, y = 0;      // equal, but for the middle of a write

void write_both(int value) {
  const unsigned before = version.load(std::memory_order_relaxed);
  version.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  x.store(value, std::memory_order_relaxed);
  y.store(value, std::memory_order_relaxed);
  version.store(before + 2, std::memory_order_release);
}

void read_both(int* seen_x, int* seen_y) {
  unsigned before;
  do {
    before = version.load(std::memory_order_acquire);
    *seen_x = x.load(std::memory_order_relaxed);
    *seen_y = y.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
  } while (before % 2 != 0 || version.load(std::memory_order_relaxed) != before);
}

int main() {
  int seen_x = 0, seen_y = 0;
  std::thread reader(read_both, &seen_x, &seen_y);
  write_both(1);
  write_both(2);
  reader.join();
  assert(seen_x == seen_y);
}
