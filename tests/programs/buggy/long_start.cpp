// A start of many steps does not count: two threads that come after it still meet.
// expect: verdict=assertion strategy=random
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  for (int i = 0; i < 5'000; ++i) {
    const std::lock_guard guard(lock);
  }
  int count = 0;
  const auto add = [&] {
    lock.lock();
    const int seen = count;
    lock.unlock();
    lock.lock();
    count = seen + 1;
    lock.unlock();
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(count == 2);
}

int main() { return heddle::explore_main(test, {.name = "long start", .steps_max = 1'000}); }
