// std::scoped_lock takes both locks, in whatever order they are given.
// expect: passes
// expect: passes strategy=roundrobin executions<=1
// expect: passes strategy=ipb complete executions=66
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void take_both(std::mutex& mine, std::mutex& other) { const std::scoped_lock both(mine, other); }

void test() {
  std::mutex a, b;
  std::thread one(take_both, std::ref(a), std::ref(b));
  std::thread two(take_both, std::ref(b), std::ref(a));
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test, {.name = "polite livelock fixed", .steps_max = 2000}); }
