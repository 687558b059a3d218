// `if` in the place of `while`: a wait that comes back for no reason goes on without an item.
// expect: verdict=assertion message="assertion `items > 0` failed"
// expect: verdict=assertion strategy=dfs executions<=20
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
    if (items == 0) not_empty.wait(guard);
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

int main() { return heddle::explore_main(test, {.name = "missed predicate loop", .spurious_wakeups = true}); }
