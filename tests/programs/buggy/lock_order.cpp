// Two threads take two locks in opposite orders.
// expect: verdict=deadlock message="T1 waits for m2 \(held by T2\), T2 waits for m1 \(held by T1\)"
// expect: verdict=deadlock strategy=dfs executions<=200
// expect: verdict=deadlock strategy=ipb executions<=200
// expect: passes strategy=ipb:bound=0 complete executions=3
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
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
