// One signal for two waits. It was not lost: somebody waited, and was woken, and waits again.
// expect: verdict=deadlock message="^T0 waits for c1$"
// expect: verdict=deadlock strategy=dfs executions=1
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable changed;
  std::unique_lock guard(lock);
  std::thread worker([&] {
    const std::lock_guard held(lock);
    changed.notify_one();
  });
  changed.wait(guard);
  changed.wait(guard);
  guard.unlock();
  worker.join();
}

int main() { return heddle::explore_main(test); }
