// Three polite threads around a table: each takes the fork on its left, finds the one on its right taken, puts its own
// back and lets the others go first.
// expect: verdict=livelock strategy=roundrobin message="T1, T2 and T3 come back to the same state every" executions=1
#include <latch>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void eat(std::mutex& left, std::mutex& right) {
  for (;;) {
    left.lock();
    if (right.try_lock()) break;
    left.unlock();
    std::this_thread::yield();
  }
  right.unlock();
  left.unlock();
}

void test() {
  std::mutex forks[3];
  std::latch all(3);
  const auto dine = [&](int seat) {
    all.arrive_and_wait();
    eat(forks[seat], forks[(seat + 1) % 3]);
  };
  std::thread one(dine, 0), two(dine, 1), three(dine, 2);
  one.join();
  two.join();
  three.join();
}

int main() { return heddle::explore_main(test, {.name = "polite trio", .steps_max = 3000}); }
