// A reference count that is lowered by a load and a store: both owners load two and store one, and nobody deletes.
// expect: finds=assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> owners = 2;
  int value = 7;
};

std::atomic<int> deleted = 0;

void use_and_drop(Shared* shared) {
  assert(shared->value == 7);
  const int owners = shared->owners.load(std::memory_order_acquire);
  shared->owners.store(owners - 1, std::memory_order_release);
  if (owners > 1) return;
  shared->value = 0;
  delete shared;
  ++deleted;
}

int main() {
  auto* shared = new Shared;
  std::thread one(use_and_drop, shared);
  use_and_drop(shared);
  one.join();
  assert(deleted == 1);
}
