// The user of a pointer waits until it is set.
// expect: passes
// expect: passes strategy=dfs complete executions=65
#include <condition_variable>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Device {
  std::mutex lock;
  std::condition_variable is_set;
  int* volatile buffer = nullptr;
};

void set_up(Device& device, int& memory) {
  const std::lock_guard guard(device.lock);
  device.buffer = &memory;
  device.is_set.notify_one();
}

void use(Device& device) {
  std::unique_lock guard(device.lock);
  device.is_set.wait(guard, [&] { return device.buffer != nullptr; });
  *device.buffer = 1;
}

void test() {
  Device device;
  int memory = 0;
  std::thread one(set_up, std::ref(device), std::ref(memory));
  std::thread two(use, std::ref(device));
  one.join();
  two.join();
}

int main() { return heddle::explore_main(test); }
