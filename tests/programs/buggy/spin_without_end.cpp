// A thread yields until a flag is set, which is set only if the other thread came first.
// expect: verdict=livelock message="no end after 1000 steps"
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_open = true, is_ready = false;
  std::thread waiter([&] {
    {
      const std::lock_guard guard(lock);
      is_open = false;
    }
    for (bool seen = false; !seen;) {
      const std::lock_guard guard(lock);
      seen = is_ready;
      std::this_thread::yield();
    }
  });
  {
    const std::lock_guard guard(lock);
    if (is_open) is_ready = true;
  }
  waiter.join();
}

int main() { return heddle::explore_main(test, {.name = "spin without end", .steps_max = 1000}); }
