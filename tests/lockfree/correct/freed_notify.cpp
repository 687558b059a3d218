// The same as in buggy: the objects are freed when nobody can notify them any more.
// expect: nothing
#include <atomic>
#include <thread>

int main() {
  auto* const flag = new std::atomic<int>(0);
  std::thread setter([flag] {
    flag->store(1);
    flag->notify_one();
  });
  flag->wait(0);
  setter.join();
  delete flag;
}
