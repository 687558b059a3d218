// The program of buggy/sleep_as_synchronisation.cpp, where time passes only when nothing else can happen.
// expect: passes
// expect: passes strategy=dfs complete executions=1
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  int value = 0;
  std::thread writer([&] {
    const std::lock_guard guard(lock);
    value = 1;
  });
  std::this_thread::sleep_for(std::chrono::seconds(1));
  {
    const std::lock_guard guard(lock);
    assert(value == 1);
  }
  writer.join();
}

int main() {
  return heddle::explore_main(test,
                              {.name = "sleep as synchronisation patient", .time_policy = heddle::TimePolicy::patient});
}
