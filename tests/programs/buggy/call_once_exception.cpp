// The initialiser throws the first time it is called; nobody catches that.
// expect: verdict=exception message="uncaught exception std::runtime_error: no such device"
// expect: verdict=exception strategy=dfs executions=1
#include <mutex>
#include <stdexcept>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::once_flag once;
  int attempts = 0;
  const auto use = [&] {
    std::call_once(once, [&] {
      if (++attempts == 1) throw std::runtime_error("no such device");
    });
  };
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
