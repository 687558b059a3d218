// A timeout is taken for proof that nothing came; the answer may have come just then.
// expect: verdict=assertion message="assertion `!has_answer` failed"
// expect: verdict=assertion strategy=dfs executions<=100
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
    if (!has_answer && answered.wait_for(guard, 10ms) == std::cv_status::timeout) assert(!has_answer);
  }
  server.join();
}

int main() { return heddle::explore_main(test); }
