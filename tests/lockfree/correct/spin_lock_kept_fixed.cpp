// Every thread gives its spin lock back.
// expect: nothing
#include <atomic>
#include <thread>

std::atomic_flag is_taken;
int shared = 0;

void add() {
  while (is_taken.test_and_set()) {
  }
  ++shared;
  is_taken.clear();
}

int main() {
  std::thread other(add);
  add();
  other.join();
  return shared == 2 ? 0 : 1;
}
