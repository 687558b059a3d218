// The average is taken before anything was counted.
// expect: verdict=signal message="integer division by zero"
// expect: verdict=signal strategy=dfs executions<=10
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  volatile int count = 0, sum = 0;
  std::thread counter([&] {
    const std::lock_guard guard(lock);
    count = 2;
    sum = 10;
  });
  {
    const std::lock_guard guard(lock);
    sum = sum / count;
  }
  counter.join();
}

int main() { return heddle::explore_main(test); }
