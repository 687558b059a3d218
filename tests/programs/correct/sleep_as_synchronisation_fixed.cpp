// The reader joins the writer; how long it sleeps before does not matter.
// expect: passes
// expect: passes strategy=dfs complete executions=4
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
  writer.join();
  const std::lock_guard guard(lock);
  assert(value == 1);
}

int main() { return heddle::explore_main(test); }
