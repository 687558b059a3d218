// Dekker's lock, 1962, in which nobody takes back that it wants in when it is not its turn: both say that they want in,
// each sees that the other does, and both wait for ever.
// expect: finds=livelock|deadlock
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
    while (turn.load() == other) {
    }
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
