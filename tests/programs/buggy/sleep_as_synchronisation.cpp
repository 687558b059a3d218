// The reader sleeps for a second, in which the writer is surely through.
// expect: verdict=assertion message="assertion `value == 1` failed"
// expect: verdict=assertion strategy=dfs executions<=10
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

int main() { return heddle::explore_main(test); }
