// The program says itself that it has failed.
// expect: verdict=failed message="T2 came before T1"
// expect: verdict=failed strategy=dfs executions<=50
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  int last = 0;
  const auto come = [&](int number) {
    const std::lock_guard guard(lock);
    if (last > number) heddle::fail("T2 came before T1");
    last = number;
  };
  std::thread one(come, 1);
  std::thread two(come, 2);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
