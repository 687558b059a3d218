// A thread polls a flag and keeps the lock that the only writer needs.
// expect: verdict=livelock message="no end after 1000 steps: T1 comes back to the same state every 1 step"
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_ready = false;
  std::thread poller([&] {
    const std::lock_guard guard(lock);
    while (!is_ready) std::this_thread::yield();
  });
  {
    const std::lock_guard guard(lock);
    is_ready = true;
  }
  poller.join();
}

int main() { return heddle::explore_main(test, {.name = "poll under mutex", .steps_max = 1000}); }
