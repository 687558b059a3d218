// A message is announced by a relaxed flag: whoever sees the flag need not see the payload. A race in every
// interleaving, and never a wrong value under sequential consistency.
// expect: finds=race
#include <atomic>
#include <cassert>
#include <thread>

int payload = 0;
std::atomic<bool> is_ready = false;

int main() {
  std::thread sender([] {
    payload = 42;
    is_ready.store(true, std::memory_order_relaxed);
  });
  while (!is_ready.load(std::memory_order_relaxed)) {
  }
  assert(payload == 42);
  sender.join();
}
