// Each access to the counter is guarded; the increment as a whole is not.
// expect: verdict=assertion message="assertion `counter == 2` failed"
// expect: verdict=assertion strategy=dfs executions<=100
// expect: verdict=assertion strategy=ipb executions<=20
// expect: verdict=assertion strategy=idb executions<=20
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

int counter;
std::mutex lock;

int read() {
  const std::lock_guard guard(lock);
  return counter;
}

void write(int value) {
  const std::lock_guard guard(lock);
  counter = value;
}

void increment() { write(read() + 1); }

void test() {
  counter = 0;
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  assert(counter == 2);
}

int main() { return heddle::explore_main(test); }
