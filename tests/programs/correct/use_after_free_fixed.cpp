// The buffer is freed by the last one who owns it.
// expect: passes
// expect: passes strategy=dfs complete executions=4
#include <memory>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  auto buffer = std::make_shared<int[]>(4);
  std::thread closer([&lock, mine = buffer]() mutable {
    const std::lock_guard guard(lock);
    mine.reset();
  });
  {
    const std::lock_guard guard(lock);
    static_cast<volatile int*>(buffer.get())[0] = 1;
  }
  closer.join();
}

int main() { return heddle::explore_main(test); }
