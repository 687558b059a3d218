// Readers want to become writers, and do not give their read lock back first: even one alone waits for itself.
// expect: verdict=deadlock message="T[12] waits for rw1 \((which it holds itself|held by 2 readers)\)"
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
