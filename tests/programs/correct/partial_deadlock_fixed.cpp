// Nobody waits for ever: who cannot have the second lock in time, or at once, gives the first one back.
// expect: passes
#include <chrono>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

using namespace std::chrono_literals;

bool take_both_in_time(std::timed_mutex& first, std::timed_mutex& second) {
  const std::lock_guard outer(first);
  const std::unique_lock inner(second, 1ms);
  return inner.owns_lock();
}

bool take_both_at_once(std::timed_mutex& first, std::timed_mutex& second) {
  const std::lock_guard outer(first);
  const std::unique_lock inner(second, std::try_to_lock);
  return inner.owns_lock();
}

void test() {
  std::timed_mutex a, b;
  std::recursive_mutex c;
  std::thread one(take_both_in_time, std::ref(a), std::ref(b));
  std::thread two(take_both_at_once, std::ref(b), std::ref(a));
  std::thread works_on([&] {
    const std::lock_guard outer(c);
    const std::lock_guard inner(c);
    heddle::step();
  });
  one.join();
  two.join();
  works_on.join();
}

int main() { return heddle::explore_main(test); }
