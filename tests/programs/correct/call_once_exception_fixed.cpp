// Whoever met the exception tries again; the initialiser succeeds once, whoever calls it.
// expect: passes
// expect: passes strategy=ipb complete executions=60
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::once_flag once;
  std::mutex lock;
  int attempts = 0;
  int successes = 0;
  const auto initialise = [&] {
    const std::lock_guard guard(lock);  // a scheduling point, so that the others come to wait
    if (++attempts == 1) throw std::runtime_error("no such device");
    ++successes;
  };
  const auto use = [&] {
    for (;;) {
      try {
        std::call_once(once, initialise);
        break;
      } catch (const std::runtime_error&) {
      }
    }
    assert(successes == 1);
  };
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
  assert(attempts == 2);
}

int main() { return heddle::explore_main(test); }
