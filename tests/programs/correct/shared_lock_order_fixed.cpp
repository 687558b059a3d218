// As buggy/shared_lock_order, but what was read is written when its lock has been given back. Both may read the other's
// table meanwhile: readers do not wait for each other.
// expect: passes
// expect: passes strategy=ipb:bound=2 complete
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
  int rows = 0;
  {
    const std::shared_lock reads(from.lock);
    const std::shared_lock reads_as_well(to.lock);
    rows = from.rows;
  }
  const std::lock_guard writes(to.lock);
  to.rows = rows;
}

void test() {
  Table a, b;
  std::thread one(copy, std::ref(a), std::ref(b));
  std::thread two(copy, std::ref(b), std::ref(a));
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
