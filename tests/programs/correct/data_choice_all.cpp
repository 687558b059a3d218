// Every value below the bound is chosen, with every schedule: 8 times the 4 of two threads that lock.
// expect: passes
// expect: passes strategy=dfs complete executions=32
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  const std::uint32_t input = heddle::choose(8);
  assert(input < 8);
  std::thread other([&] { const std::lock_guard guard(lock); });
  { const std::lock_guard guard(lock); }
  other.join();
}

int main() { return heddle::explore_main(test); }
