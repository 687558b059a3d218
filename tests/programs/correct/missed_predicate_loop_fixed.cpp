// The predicate is looked at again after every wake-up.
// expect: passes
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable not_empty;
  int items = 0;
  std::thread consumer([&] {
    std::unique_lock guard(lock);
    while (items == 0) not_empty.wait(guard);
    assert(items > 0);
    --items;
  });
  {
    const std::lock_guard guard(lock);
    ++items;
    not_empty.notify_one();
  }
  consumer.join();
}

int main() { return heddle::explore_main(test, {.name = "missed predicate loop fixed", .spurious_wakeups = true}); }
