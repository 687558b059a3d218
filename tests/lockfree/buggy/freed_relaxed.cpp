// The last reader says that it is done by a store that orders nothing; the owner frees the block that it read. In every
// schedule the read comes first, and still nothing orders the two.
// expect: finds=race
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  auto* const block = new int(7);
  int seen = 0;
  std::thread reader([&] {
    seen = *block;
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_acquire)) {
  }
  delete block;
  reader.join();
  return seen == 7 ? 0 : 1;
}
