// The same as in buggy: an exchange gives the object to one of them.
// expect: nothing
#include <atomic>
#include <thread>

std::atomic<int*> slot;

void drop() { delete slot.exchange(nullptr); }

int main() {
  slot.store(new int(1));
  std::thread other(drop);
  drop();
  other.join();
}
