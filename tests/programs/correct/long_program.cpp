// Two threads that take 300,000 steps together, each with a lock of its own: more than an execution may take.
// expect: passes strategy=random executions<=5 output="5 executions stopped after .*, repeating long_program.cpp:12"
// expect: passes strategy=roundrobin executions=1 output="1 execution stopped after 200,000 steps"
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void work() {
  std::mutex lock;
  for (int i = 0; i < 75'000; ++i) {
    const std::lock_guard guard(lock);
  }
}

void test() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test, {.name = "long program"}); }
