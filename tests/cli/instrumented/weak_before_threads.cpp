// Weak compare-exchanges before the first thread and after it: each may fail for no reason.
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> value{0};
  const auto add = [&value] {
    int seen = value;
    while (!value.compare_exchange_weak(seen, seen + 1)) {
    }
  };
  add();
  std::thread other(add);
  add();
  other.join();
  return value == 3 ? 0 : 1;
}
