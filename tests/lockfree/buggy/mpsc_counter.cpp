// Two producers count by a load and a store. Each is atomic, the increment is not: both load the same number, and one
// increment is lost.
// expect: finds=assertion
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> sent = 0;

void produce() {
  for (int i = 0; i < 2; ++i) sent.store(sent.load() + 1);
}

int main() {
  std::thread one(produce);
  std::thread two(produce);
  one.join();
  two.join();
  assert(sent == 4);
}
