// The exception is caught in the thread that throws it, each time by one of the two.
// expect: passes
// expect: passes strategy=dfs complete executions=39
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::vector<int> items = {1};
  int failures = 0;
  const auto take = [&] {
    const std::lock_guard guard(lock);
    try {
      items.at(0) = 0;
      items.pop_back();
    } catch (const std::out_of_range&) {
      ++failures;
    }
  };
  std::thread one(take);
  std::thread two(take);
  one.join();
  two.join();
  assert(failures == 1);
}

int main() { return heddle::explore_main(test); }
