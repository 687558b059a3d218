// A parser fails for one input of eight, and then only if the other thread was faster.
// expect: verdict=assertion message="assertion `input != 5 \|\| !is_closed` failed"
// expect: verdict=assertion strategy=dfs executions<=100
// expect: verdict=assertion strategy=ipb executions<=100
#include <cassert>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::mutex lock;
  bool is_closed = false;
  const std::uint32_t input = heddle::choose(8);
  std::thread closer([&] {
    const std::lock_guard guard(lock);
    is_closed = true;
  });
  {
    const std::lock_guard guard(lock);
    assert(input != 5 || !is_closed);
  }
  closer.join();
}

int main() { return heddle::explore_main(test); }
