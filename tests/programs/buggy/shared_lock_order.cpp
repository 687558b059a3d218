// Each of two threads reads under one lock and then writes under the other: neither can write before the other has
// read.
// expect: verdict=deadlock message="T1 waits for rw\d \(held by T2\), T2 waits for rw\d \(held by T1\)"
// expect: verdict=deadlock strategy=dfs executions<=200
// expect: verdict=deadlock strategy=portfolio executions<=3 seeds=20
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Table {
  std::shared_mutex lock;
  int rows = 1;
};

void copy(Table& from, Table& to) {
  const std::shared_lock reads(from.lock);
  const std::lock_guard writes(to.lock);
  to.rows = from.rows;
}

void test() {
  Table a, b;
  std::thread one(copy, std::ref(a), std::ref(b));
  std::thread two(copy, std::ref(b), std::ref(a));
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
