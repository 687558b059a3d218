// A sequence lock whose reader waits for an even version, reads, and does not look at the version again: it starts
// before the write, reads the old x, and after the write the new y.
// expect: finds=assertion
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
  while (version.load(std::memory_order_acquire) % 2 != 0) {
  }
  *seen_x = x.load(std::memory_order_relaxed);
  *seen_y = y.load(std::memory_order_relaxed);
}

int main() {
  int seen_x = 0, seen_y = 0;
  std::thread reader(read_both, &seen_x, &seen_y);
  write_both(1);
  write_both(2);
  reader.join();
  assert(seen_x == seen_y);
}
