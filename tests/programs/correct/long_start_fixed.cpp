// A start of more steps than an execution may take afterwards.
// expect: passes executions<=100 output="nothing found in 100 executions"
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  for (int i = 0; i < 5'000; ++i) {
    const std::lock_guard guard(lock);
  }
  int count = 0;
  const auto add = [&] {
    const std::lock_guard guard(lock);
    ++count;
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(count == 2);
}

int main() { return heddle::explore_main(test, {.name = "long start", .steps_max = 1'000}); }
