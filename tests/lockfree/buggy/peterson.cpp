// Peterson's lock, 1981, which gives way before it says that it wants in. Both give way, T1 last; T1 says that it wants
// in, sees that the other does not, and enters; T0 says so, sees that it is its turn, and enters too.
// expect: finds=assertion|race
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn = 0;
int visits = 0;  // guarded by the lock

void lock(int me) {
  const int other = 1 - me;
  turn.store(other);
  wants[me].store(true);
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
