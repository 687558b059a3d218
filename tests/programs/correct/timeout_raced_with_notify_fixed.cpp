// After the wait the predicate says whether the answer came, not the clock.
// expect: passes
// expect: passes strategy=dfs complete executions=22
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

using namespace std::chrono_literals;

void test() {
  std::mutex lock;
  std::condition_variable answered;
  bool has_answer = false;
  std::thread server([&] {
    const std::lock_guard guard(lock);
    has_answer = true;
    answered.notify_one();
  });
  {
    std::unique_lock guard(lock);
    const bool in_time = answered.wait_for(guard, 10ms, [&] { return has_answer; });
    assert(in_time == has_answer);
  }
  server.join();
}

int main() { return heddle::explore_main(test); }
