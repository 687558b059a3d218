// A thread yields until a flag is set, which somebody always does. Systematic strategies end as well: who yields again
// and again waits behind those who could go on.
// expect: passes
// expect: passes strategy=dfs complete=fair executions=9
// expect: passes strategy=ipb complete=fair executions=7
// expect: passes strategy=idb complete=fair executions=6
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_ready = false;
  std::thread waiter([&] {
    for (bool seen = false; !seen;) {
      {
        const std::lock_guard guard(lock);
        seen = is_ready;
      }
      if (!seen) std::this_thread::yield();
    }
  });
  {
    const std::lock_guard guard(lock);
    is_ready = true;
  }
  waiter.join();
}

int main() { return heddle::explore_main(test, {.name = "spin without end fixed", .steps_max = 1000}); }
