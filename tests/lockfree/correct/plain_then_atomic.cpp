// An atomic object is filled as plain memory, handed over by itself, and read as plain memory after the join.
// expect: nothing
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

alignas(8) unsigned char storage[8];

int main() {
  std::memset(storage, 0, sizeof storage);
  auto* const word = reinterpret_cast<std::atomic<int>*>(storage);
  std::thread other([word] {
    while (word->load(std::memory_order_acquire) == 0) {
    }
    word->store(2, std::memory_order_relaxed);
  });
  word->store(1, std::memory_order_release);
  other.join();
  int value = 0;
  std::memcpy(&value, storage, sizeof value);
  assert(value == 2);
}
