// Two threads take the object out of its slot, by a load and a store: both may get it, and both free it.
// expect: finds=memory-error
// expect: ignored=memory-error
#include <atomic>
#include <thread>

std::atomic<int*> slot;

void drop() {
  int* const object = slot.load();
  if (object == nullptr) return;
  slot.store(nullptr);
  delete object;
}

int main() {
  slot.store(new int(1));
  std::thread other(drop);
  drop();
  other.join();
}
