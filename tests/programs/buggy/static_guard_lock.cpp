// What makes a static variable of a function takes a lock, which another thread holds that asks for the variable. The
// calls are those that the compiler writes around it; a variable of the body begins each execution unmade.
// expect: verdict=deadlock message="T1 waits for m1 \(held by T2\), T2 waits for f1"
// expect: verdict=deadlock strategy=dfs executions<=100
#include <cxxabi.h>

#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Static {
  abi::__guard guard = 0;
  std::recursive_mutex registry;

  void get() {
    if (abi::__cxa_guard_acquire(&guard) == 0) return;
    { const std::lock_guard registered(registry); }
    abi::__cxa_guard_release(&guard);
  }
};

void test() {
  Static service;
  std::thread one([&] { service.get(); });
  std::thread two([&] {
    const std::lock_guard registered(service.registry);
    service.get();
  });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
