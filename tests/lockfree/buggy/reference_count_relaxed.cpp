// A reference count that is lowered by a relaxed operation: it is exact, so one owner deletes, but nothing puts the use
// of the other before that. A race in every interleaving, and never a wrong value under sequential consistency.
// expect: finds=race
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
  if (shared->owners.fetch_sub(1, std::memory_order_relaxed) > 1) return;
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
