// A thread draws for ever, whatever it gets. That it draws is enough for it to be cut: it cannot be told from one that
// would stop at a value which did not come.
// expect: passes executions<=20 output="20 executions stopped after 1,000 steps .*, repeating draw_until_never.cpp:10"
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::thread drawer([] {
    while (heddle::choose(2) < 2) std::this_thread::yield();
  });
  drawer.join();
}

int main() { return heddle::explore_main(test, {.name = "draw until never", .steps_max = 1000}); }
