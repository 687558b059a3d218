// The waiter frees the atomic object when its value has changed, which may be before it is notified.
// expect: finds=memory-error
// expect: ignored=memory-error
#include <atomic>
#include <thread>

int main() {
  auto* const flag = new std::atomic<int>(0);
  std::thread setter([flag] {
    flag->store(1);
    flag->notify_one();
  });
  auto* const other = new std::atomic<int>(0);
  std::thread sleeper([other] { other->wait(0); });
  flag->wait(0);
  delete flag;
  other->store(1);
  other->notify_one();
  setter.join();
  sleeper.join();
  delete other;
}
