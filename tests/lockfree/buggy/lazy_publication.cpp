// A table is made by whoever needs it first and published by a relaxed exchange: who gets the other's pointer need not
// see what it points to. Never a wrong value under sequential consistency.
// expect: finds=race
#include <atomic>
#include <cassert>
#include <thread>

struct Table {
  int size = 0;
};

std::atomic<Table*> table = nullptr;

int size_of_table() {
  Table* seen = table.load(std::memory_order_relaxed);
  if (seen == nullptr) {
    auto* made = new Table;
    made->size = 16;
    if (table.compare_exchange_strong(seen, made, std::memory_order_relaxed)) {
      seen = made;
    } else {
      delete made;  // another was faster
    }
  }
  return seen->size;
}

int main() {
  int one_saw = 0;
  std::thread one([&] { one_saw = size_of_table(); });
  const int saw = size_of_table();
  one.join();
  assert(saw == 16 && one_saw == 16);
  delete table.load();
}
