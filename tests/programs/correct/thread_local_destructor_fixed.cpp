// The lock is given back before the thread is joined. Every thread that used its entry destroys it, once.
// expect: passes
// expect: passes strategy=dfs complete executions=14
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

std::mutex registry;
int destroyed;

struct Entry {
  bool used = false;
  ~Entry() {
    const std::lock_guard guard(registry);
    ++destroyed;
  }
};

thread_local Entry entry;

void test() {
  destroyed = 0;
  std::thread worker([] { entry.used = true; });
  std::thread other([] {});
  worker.join();
  other.join();
  assert(destroyed == 1);
}

int main() { return heddle::explore_main(test); }
