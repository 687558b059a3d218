// The condition of a queue goes while a consumer still waits for it.
// expect: verdict=misuse message="T0 destroys condition c1, which T1 waits for .destroy-in-use."
// expect: verdict=misuse strategy=dfs executions<=50
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  auto filled = std::make_unique<std::condition_variable>();
  bool has_begun = false;
  std::thread consumer([&] {
    std::unique_lock guard(lock);
    has_begun = true;
    filled->wait_for(guard, std::chrono::seconds(1));
  });
  while (!has_begun) std::this_thread::yield();
  { const std::lock_guard until_it_waits(lock); }
  filled.reset();
  consumer.join();
}

int main() { return heddle::explore_main(test); }
