// The same as in buggy, with a store that releases.
// expect: nothing
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  auto* const block = new int(7);
  int seen = 0;
  std::thread reader([&] {
    seen = *block;
    done.store(true, std::memory_order_release);
  });
  while (!done.load(std::memory_order_acquire)) {
  }
  delete block;
  reader.join();
  return seen == 7 ? 0 : 1;
}
