// Two threads add to a plain counter: a race. Where races are promoted, the places become scheduling points, and an
// update is lost: T1 reads 0, T2 adds, T1 writes 1.
// expect: finds=race
// expect: promoted=assertion
#include <cassert>
#include <thread>

int counter = 0;

void add() { counter = counter + 1; }

int main() {
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(counter == 2);
}
