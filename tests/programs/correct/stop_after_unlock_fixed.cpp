// The flag that ends the worker is written under the lock.
// expect: passes
// expect: passes strategy=dfs complete
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
  stop = true;
  lock.unlock();
  more.notify_all();
  worker.join();
}

int main() { return heddle::explore_main(test); }
