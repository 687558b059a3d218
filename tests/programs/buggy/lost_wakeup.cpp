// The signal may come before the wait, and the wait does not look whether there is anything to wait for.
// expect: verdict=lost-wakeup message="T0 waits for c1, which T1 signalled at step \d+, before T0 waited"
// expect: verdict=lost-wakeup strategy=dfs executions<=10
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable done;
  std::thread worker([&] { done.notify_one(); });
  {
    std::unique_lock guard(lock);
    done.wait(guard);
  }
  worker.join();
}

int main() { return heddle::explore_main(test); }
