// Deep recursion that fits into the stack of a thread, again and again: a megabyte of it.
// expect: passes executions<=200
// expect: passes strategy=dfs complete executions=4
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

int sum(int depth) {
  volatile char frame[1000];
  frame[0] = 1;
  return depth == 0 ? 0 : sum(depth - 1) + frame[0];
}

void test() {
  std::mutex lock;
  int total = 0;
  std::thread counter([&] {
    const std::lock_guard guard(lock);
    total += sum(1000);
  });
  {
    const std::lock_guard guard(lock);
    total += sum(1000);
  }
  counter.join();
  assert(total == 2000);
}

int main() { return heddle::explore_main(test); }
