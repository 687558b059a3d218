// Double-checked locking: the pointer is released after the object was made, and acquired by the look without the lock.
// expect: nothing
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int volume = 11;
};

std::atomic<Settings*> settings = nullptr;
std::mutex lock;

int volume() {
  Settings* seen = settings.load(std::memory_order_acquire);
  if (seen == nullptr) {
    const std::lock_guard guard(lock);
    seen = settings.load(std::memory_order_relaxed);
    if (seen == nullptr) {
      seen = new Settings;
      settings.store(seen, std::memory_order_release);
    }
  }
  return seen->volume;
}

int main() {
  int one_heard = 0;
  std::thread one([&] { one_heard = volume(); });
  const int heard = volume();
  one.join();
  assert(heard == 11 && one_heard == 11);
  delete settings.load();
}
