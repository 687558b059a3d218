// The increment as a whole is guarded.
// expect: passes
// expect: passes strategy=dfs complete executions=39
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

int counter;
std::mutex lock;

void increment() {
  const std::lock_guard guard(lock);
  ++counter;
}

void test() {
  counter = 0;
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  assert(counter == 2);
}

int main() { return heddle::explore_main(test); }
