// A table is made by whoever needs it first: the exchange that publishes it releases its contents, and whoever gets the
// pointer, by the load or by the exchange that failed, acquires them.
// expect: nothing
#include <atomic>
#include <cassert>
#include <thread>

struct Table {
  int size = 0;
};

std::atomic<Table*> table = nullptr;

int size_of_table() {
  Table* seen = table.load(std::memory_order_acquire);
  if (seen == nullptr) {
    auto* made = new Table;
    made->size = 16;
    if (table.compare_exchange_strong(seen, made, std::memory_order_acq_rel)) {
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
