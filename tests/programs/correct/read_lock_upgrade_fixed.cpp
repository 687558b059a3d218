// The read lock is given back before the write lock is taken, and what was read is read again.
// expect: passes
// expect: passes strategy=ipb complete executions=61
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::shared_mutex lock;
  int value = 0;
  const auto set_once = [&] {
    {
      const std::shared_lock read(lock);
      if (value != 0) return;
    }
    const std::unique_lock write(lock);
    if (value == 0) ++value;
  };
  std::thread one(set_once);
  std::thread two(set_once);
  one.join();
  two.join();
  assert(value == 1);
}

int main() { return heddle::explore_main(test); }
