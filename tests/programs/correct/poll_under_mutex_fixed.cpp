// A thread polls a flag under a lock, without pause, and gives the lock back in each round. A strategy that never lets
// the writer go on says nothing about it.
// expect: passes strategy=every
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_ready = false;
  std::thread poller([&] {
    for (;;) {
      const std::lock_guard guard(lock);
      if (is_ready) break;
    }
  });
  {
    const std::lock_guard guard(lock);
    is_ready = true;
  }
  poller.join();
}

int main() { return heddle::explore_main(test, {.name = "poll under mutex", .steps_max = 10'000}); }
