// Two threads write one variable, and each takes the lock of a log that has nothing to do with it: the first after its
// write, the second before. The second has much to do first, so the lock nearly always orders the two.
// expect: finds=race
// expect: predicted=race
#include <mutex>
#include <thread>

constexpr int kOtherThings = 100;

std::mutex work;
std::mutex log_lock;
int last_line = 0;
int value = 0;

void write_log(int line) {
  const std::lock_guard guard(log_lock);
  last_line = line;
}

int main() {
  std::thread first([] {
    value = 1;
    write_log(1);
  });
  std::thread second([] {
    for (int i = 0; i < kOtherThings; ++i) {
      const std::lock_guard guard(work);
    }
    write_log(2);
    value = 2;
  });
  first.join();
  second.join();
}
