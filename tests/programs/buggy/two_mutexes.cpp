// Readers and writers wait for the same condition, each with the lock of their own side.
// expect: verdict=misuse message="waits for condition c1 with mutex m., while T. waits with mutex m. .two-mutexes."
// expect: verdict=misuse strategy=dfs executions<=50
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
  std::thread writer(wait_with, std::ref(writing));
  reader.join();
  writer.join();
}

int main() { return heddle::explore_main(test); }
