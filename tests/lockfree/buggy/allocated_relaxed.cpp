// A block is handed over before anything is written to it, by a store that orders nothing: the reader may see what was
// in the memory before it was this block.
// expect: finds=race
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int*> slot{nullptr};

int main() {
  std::thread maker([] { slot.store(static_cast<int*>(std::calloc(16, sizeof(int))), std::memory_order_relaxed); });
  if (int* const block = slot.load(std::memory_order_acquire)) block[3] = 1;
  maker.join();
  std::free(slot.load());
}
