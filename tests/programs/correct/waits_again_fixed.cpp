// A signal for each wait, and a flag that says for which it is.
// expect: passes
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable changed;
  int round = 0;
  std::thread worker([&] {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard held(lock);
      ++round;
      changed.notify_one();
    }
  });
  {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return round >= 1; });
    changed.wait(guard, [&] { return round >= 2; });
  }
  worker.join();
}

int main() { return heddle::explore_main(test); }
