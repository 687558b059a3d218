// A reference count: the decrement releases what its owner did and, for the last one, acquires what all others did, so
// that every use comes before the deletion.
// expect: nothing
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
  if (shared->owners.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
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
