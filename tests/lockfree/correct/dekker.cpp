// Dekker's lock, 1962: who wants in while the other does too, and out of turn, takes it back until it is its turn.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn = 0;
int visits = 0;  // guarded by the lock

void lock(int me) {
  const int other = 1 - me;
  wants[me].store(true);
  while (wants[other].load()) {
    if (turn.load() != other) continue;
    wants[me].store(false);
    while (turn.load() == other) {
    }
    wants[me].store(true);
  }
}

void unlock(int me) {
  turn.store(1 - me);
  wants[me].store(false);
}

void visit(int me) {
  lock(me);
  ++visits;
  unlock(me);
}

int main() {
  std::thread one(visit, 1);
  visit(0);
  one.join();
  assert(visits == 2);
}
