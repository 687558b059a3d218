// The program of buggy/missed_predicate_loop.cpp, whose bug does not exist while no wait comes back for no reason.
// expect: passes
// expect: passes strategy=dfs complete executions=5
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

int main() { return heddle::explore_main(test); }
