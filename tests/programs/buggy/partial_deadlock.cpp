// Two threads wait for each other, while a third one works on and on: it is found when the cycle closes.
// expect: verdict=deadlock message="^T1 waits for m[12] \(held by T2\), T2 waits for m[12] \(held by T1\)$"
// expect: verdict=deadlock strategy=random output="T[12] took it at partial_deadlock.cpp:\d+"
// expect: verdict=deadlock strategy=portfolio executions<=3 seeds=20
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

void take_both(std::mutex& first, std::mutex& second) {
  const std::lock_guard outer(first);
  const std::lock_guard inner(second);
}

void test() {
  std::mutex a, b;
  std::thread one(take_both, std::ref(a), std::ref(b));
  std::thread two(take_both, std::ref(b), std::ref(a));
  std::thread works_on([] {
    for (int i = 0; i < 20; ++i) heddle::step();
  });
  one.join();
  two.join();
  works_on.join();
}

int main() { return heddle::explore_main(test); }
