// A path that never took the lock gives it back.
// expect: verdict=misuse message="T1 unlocks mutex m1, which nobody holds .unlock-unlocked."
// expect: verdict=misuse strategy=dfs executions=1
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_open = false;
  std::thread worker([&] {
    if (is_open) lock.lock();
    lock.unlock();
  });
  worker.join();
}

int main() { return heddle::explore_main(test); }
