// Catch2: a test that contains heddle::explore fails as any other does, and the next one runs.
// expect: passes=1 fails=1 failing=a counter without a lock around it
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

namespace {

void count_twice(bool whole) {
  int counter = 0;
  std::mutex lock, outer;
  const auto count = [&] {
    std::unique_lock<std::mutex> all(outer, std::defer_lock);
    if (whole) all.lock();
    lock.lock();
    const int before = counter;
    lock.unlock();
    lock.lock();
    counter = before + 1;
    lock.unlock();
  };
  std::thread other(count);
  count();
  other.join();
  if (counter != 2) heddle::fail("a count is lost");
}

}  // namespace

TEST_CASE("a counter without a lock around it") {
  heddle::explore([] { count_twice(false); });
}

TEST_CASE("a counter with a lock around it") {
  heddle::explore([] { count_twice(true); });
}
