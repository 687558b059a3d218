// Double-checked locking with a plain pointer: the first look, without the lock, races with the store of the pointer,
// and whoever sees the pointer need not see what it points to.
// expect: finds=race
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int volume = 11;
};

Settings* settings = nullptr;
std::mutex lock;

int volume() {
  if (settings == nullptr) {
    const std::lock_guard guard(lock);
    if (settings == nullptr) settings = new Settings;
  }
  return settings->volume;
}

int main() {
  int one_heard = 0;
  std::thread one([&] { one_heard = volume(); });
  const int heard = volume();
  one.join();
  assert(heard == 11 && one_heard == 11);
  delete settings;
}
