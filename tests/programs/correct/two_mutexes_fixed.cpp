// One condition, two locks, but never at the same time: the second side begins to wait when nobody waits any more.
// expect: passes
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex reading, writing;
  std::condition_variable changed;
  const auto wait_with = [&](std::mutex& lock) {
    std::unique_lock guard(lock);
    changed.wait_for(guard, std::chrono::seconds(1));
  };
  std::thread reader(wait_with, std::ref(reading));
  std::thread other_reader(wait_with, std::ref(reading));
  changed.notify_all();
  reader.join();
  other_reader.join();
  std::thread writer(wait_with, std::ref(writing));
  writer.join();
}

int main() { return heddle::explore_main(test); }
