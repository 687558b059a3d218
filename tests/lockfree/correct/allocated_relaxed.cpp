// The same as in buggy, with a store that releases.
// expect: nothing
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int*> slot{nullptr};

int main() {
  std::thread maker([] { slot.store(static_cast<int*>(std::calloc(16, sizeof(int))), std::memory_order_release); });
  if (int* const block = slot.load(std::memory_order_acquire)) block[3] = 1;
  maker.join();
  std::free(slot.load());
}
