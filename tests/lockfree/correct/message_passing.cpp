// A message is announced by a flag that is released after the payload was written and acquired before it is read.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

int payload = 0;
std::atomic<bool> is_ready = false;

int main() {
  std::thread sender([] {
    payload = 42;
    is_ready.store(true, std::memory_order_release);
  });
  while (!is_ready.load(std::memory_order_acquire)) {
  }
  assert(payload == 42);
  sender.join();
}
