// The user of a pointer does not wait for the one who sets it.
// expect: verdict=signal message="segmentation fault at address 0x0: a null pointer"
// expect: verdict=signal strategy=dfs executions<=10
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

struct Device {
  std::mutex lock;
  int* volatile buffer = nullptr;
};

void set_up(Device& device, int& memory) {
  const std::lock_guard guard(device.lock);
  device.buffer = &memory;
}

void use(Device& device) {
  const std::lock_guard guard(device.lock);
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
