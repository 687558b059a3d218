// notify_all wakes both kinds of waiters.
// expect: passes
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable changed;
  int value = 0;
  const auto wait_for = [&](int wanted) {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return value >= wanted; });
  };
  std::thread one(wait_for, 1);
  std::thread two(wait_for, 2);
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard guard(lock);
    ++value;
    changed.notify_all();
  }
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
