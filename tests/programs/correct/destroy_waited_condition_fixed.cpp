// Conditions may go as soon as everybody who waited has been woken; the mutex must stay until they have left.
// expect: passes
// expect: passes strategy=dfs complete executions<=1000
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  auto filled = std::make_unique<std::condition_variable>();
  bool waits = false;
  bool is_filled = false;
  std::thread consumer([&] {
    std::unique_lock guard(lock);
    waits = true;
    if (!is_filled) filled->wait(guard);
  });
  {
    const std::lock_guard guard(lock);
    is_filled = true;
    if (waits) filled->notify_all();
    filled.reset();
  }
  consumer.join();
}

int main() { return heddle::explore_main(test, {.spurious_wakeups = false}); }
