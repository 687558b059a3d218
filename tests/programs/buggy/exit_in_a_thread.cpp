// A thread ends the whole program when it comes second.
// expect: verdict=exited message="T[12] called exit\(3\)"
// expect: verdict=exited strategy=dfs executions=1
#include <cstdlib>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  int came = 0;
  const auto come = [&] {
    const std::lock_guard guard(lock);
    if (++came == 2) std::exit(3);
  };
  std::thread one(come);
  std::thread two(come);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
