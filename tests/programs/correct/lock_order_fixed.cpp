// Two threads take two locks in the same order.
// expect: passes
// expect: passes strategy=dfs complete executions=118
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void take_both(std::mutex& first, std::mutex& second) {
  const std::lock_guard outer(first);
  const std::lock_guard inner(second);
}

void test() {
  std::mutex a, b;
  std::thread one(take_both, std::ref(a), std::ref(b));
  std::thread two(take_both, std::ref(a), std::ref(b));
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
