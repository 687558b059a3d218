// Two polite threads: each takes its own lock, finds the other's taken, gives its own back and lets the other go first.
// expect: verdict=livelock strategy=roundrobin message="no end after 2000 steps" executions=1
// expect: verdict=livelock strategy=portfolio executions<=2000
#include <latch>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void take_both(std::mutex& mine, std::mutex& other) {
  for (;;) {
    mine.lock();
    if (other.try_lock()) break;
    mine.unlock();
    std::this_thread::yield();
  }
  other.unlock();
  mine.unlock();
}

void test() {
  std::mutex a, b;
  std::latch both(2);
  const auto meet = [&](std::mutex& mine, std::mutex& other) {
    both.arrive_and_wait();
    take_both(mine, other);
  };
  std::thread one([&] { meet(a, b); });
  std::thread two([&] { meet(b, a); });
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test, {.name = "polite livelock", .steps_max = 2000}); }
