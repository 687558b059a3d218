// A thread gives up when another was faster.
// expect: verdict=aborted message="abort was called"
// expect: verdict=aborted strategy=dfs executions<=20
#include <cstdlib>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  int last = 0;
  const auto come = [&](int number) {
    const std::lock_guard guard(lock);
    if (last > number) std::abort();
    last = number;
  };
  std::thread one(come, 1);
  std::thread two(come, 2);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
