// Two readers want to become writers, and neither gives its read lock back first.
// expect: verdict=deadlock message="T1 waits for rw1 \(held by 2 readers\), T2 waits for rw1 \(held by 2 readers\)"
// expect: verdict=deadlock strategy=dfs executions<=200
#include <shared_mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::shared_mutex lock;
  int value = 0;
  const auto upgrade = [&] {
    lock.lock_shared();
    if (value == 0) {
      lock.lock();
      value = 1;
      lock.unlock();
    }
    lock.unlock_shared();
  };
  std::thread one(upgrade);
  std::thread two(upgrade);
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
