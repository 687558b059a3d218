// The variable is asked for before the lock is taken.
// expect: passes
// expect: passes strategy=dfs complete executions<=2000
#include <cxxabi.h>

#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Static {
  abi::__guard guard = 0;
  std::recursive_mutex registry;
  int made = 0;

  void get() {
    if (abi::__cxa_guard_acquire(&guard) == 0) return;
    {
      const std::lock_guard registered(registry);
      ++made;
    }
    abi::__cxa_guard_release(&guard);
  }
};

void test() {
  Static service;
  std::thread one([&] { service.get(); });
  std::thread two([&] {
    service.get();
    const std::lock_guard registered(service.registry);
    assert(service.made == 1);
  });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
