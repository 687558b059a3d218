// A thread draws until it gets a zero: only an unfair sequence of draws keeps it from its end.
// expect: passes strategy=every
#include <thread>

#include <heddle/heddle.hpp>

void test() {
  std::thread other([] { std::this_thread::yield(); });
  while (heddle::choose(2) != 0) std::this_thread::yield();
  other.join();
}

int main() { return heddle::explore_main(test, {.name = "draw until zero", .steps_max = 1000}); }
