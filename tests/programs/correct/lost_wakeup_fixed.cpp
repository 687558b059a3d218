// What is waited for is written under the lock, and looked at before the wait.
// expect: passes
// expect: passes strategy=dfs complete executions=4
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable done;
  bool is_done = false;
  std::thread worker([&] {
    const std::lock_guard guard(lock);
    is_done = true;
    done.notify_one();
  });
  {
    std::unique_lock guard(lock);
    done.wait(guard, [&] { return is_done; });
  }
  worker.join();
}

int main() { return heddle::explore_main(test); }
