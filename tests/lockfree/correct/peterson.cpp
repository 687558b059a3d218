// Peterson's lock, 1981: say that you want in, give way, and wait while the other wants in and it is its turn. Needs
// sequential consistency: the store of the own flag must not be delayed past the load of the other's.
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
  turn.store(other);
  while (wants[other].load() && turn.load() == other) {
  }
}

void unlock(int me) { wants[me].store(false); }

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
