// The second of two threads throws, and nobody is there to catch.
// expect: verdict=exception message="uncaught exception std::out_of_range: "
// expect: verdict=exception strategy=dfs executions<=20
#include <mutex>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  std::vector<int> items = {1};
  const auto take = [&] {
    const std::lock_guard guard(lock);
    items.at(0) = 0;
    items.pop_back();
  };
  std::thread one(take);
  std::thread two(take);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
