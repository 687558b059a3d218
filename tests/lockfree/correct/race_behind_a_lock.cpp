// The same, with the variable under the lock.
// expect: nothing
#include <mutex>
#include <thread>

constexpr int kOtherThings = 100;

std::mutex work;
std::mutex log_lock;
int last_line = 0;
int value = 0;

void write_log_and(int what) {
  const std::lock_guard guard(log_lock);
  last_line = what;
  value = what;
}

int main() {
  std::thread first(write_log_and, 1);
  std::thread second([] {
    for (int i = 0; i < kOtherThings; ++i) {
      const std::lock_guard guard(work);
    }
    write_log_and(2);
  });
  first.join();
  second.join();
}
