// An event count: the waiter reads the count, looks at the atomic, and sleeps only while the count is still the same;
// the other thread sets the atomic first and then raises the count under the mutex.
// expect: nothing
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<int> items = 0;
std::atomic<int> events = 0;  // raised under the lock
std::mutex lock;
std::condition_variable event;

void put() {
  items.fetch_add(1);
  {
    const std::lock_guard guard(lock);
    events.fetch_add(1);
  }
  event.notify_one();
}

void get() {
  for (;;) {
    const int seen = events.load();
    if (items.load() != 0) break;
    std::unique_lock guard(lock);
    event.wait(guard, [&] { return events.load() != seen; });
  }
  items.fetch_sub(1);
}

int main() {
  std::thread consumer(get);
  put();
  consumer.join();
  assert(items == 0);
}
