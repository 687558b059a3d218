// A reader-writer lock in one word, whose writer sees that it is free and then takes it, in two steps: between them a
// reader enters, and both are inside.
// expect: finds=assertion|race|livelock
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kFree = 0;
constexpr int kWriter = -1;

std::atomic<int> word = kFree;  // kWriter, or how many readers are inside
int x = 0, y = 0;               // guarded by the lock; equal

void lock_for_writing() {
  while (word.load(std::memory_order_acquire) != kFree) {
  }
  word.store(kWriter, std::memory_order_relaxed);
}

void unlock_writer() { word.store(kFree, std::memory_order_release); }

void lock_for_reading() {
  int seen = word.load(std::memory_order_relaxed);
  while (seen == kWriter || !word.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) {
    seen = word.load(std::memory_order_relaxed);
  }
}

void unlock_reader() { word.fetch_sub(1, std::memory_order_release); }

void read_both() {
  lock_for_reading();
  assert(x == y);
  unlock_reader();
}

int main() {
  std::thread one(read_both);
  std::thread two(read_both);
  lock_for_writing();
  x = 1;
  y = 1;
  unlock_writer();
  one.join();
  two.join();
}
