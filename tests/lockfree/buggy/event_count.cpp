// A waiter looks at an atomic and then sleeps, in two steps: between them the other thread sets the atomic and notifies
// nobody, and the waiter sleeps for ever.
// expect: finds=lost-wakeup|deadlock
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<int> items = 0;
std::mutex lock;
std::condition_variable event;

void put() {
  items.fetch_add(1);
  event.notify_one();
}

void get() {
  while (items.load() == 0) {
    std::unique_lock guard(lock);
    event.wait(guard);
  }
  items.fetch_sub(1);
}

int main() {
  std::thread consumer(get);
  put();
  consumer.join();
  assert(items == 0);
}
