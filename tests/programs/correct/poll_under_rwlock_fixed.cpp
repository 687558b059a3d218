// Two threads poll a flag as readers and give the lock back in each round.
// expect: passes strategy=every
#include <shared_mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::shared_mutex lock;
  bool is_ready = false;
  const auto poll = [&] {
    for (;;) {
      const std::shared_lock guard(lock);
      if (is_ready) break;
    }
  };
  std::thread one(poll);
  std::thread two(poll);
  {
    const std::unique_lock guard(lock);
    is_ready = true;
  }
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test, {.name = "poll under rwlock", .steps_max = 10'000}); }
