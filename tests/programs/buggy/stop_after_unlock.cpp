// The flag that ends the worker is written after the unlock, in the same piece of code. The worker can look at it
// between the two, and then waits for a signal that it misses. Memory is not seen here: what comes after an unlock must
// be a step of its own.
// expect: verdict=lost-wakeup|deadlock executions<=1000 seeds=20
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::condition_variable more;
  int items = 0;
  bool stop = false;
  std::thread worker([&] {
    std::unique_lock guard(lock);
    while (items == 0 && !stop) more.wait(guard);
  });
  lock.lock();
  items = 0;
  lock.unlock();
  stop = true;
  more.notify_all();
  worker.join();
}

int main() { return heddle::explore_main(test); }
