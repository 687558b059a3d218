// A few threads and a dozen locks: what a unit test looks like.
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  int sum = 0;
  const auto add = [&](int value) {
    for (int i = 0; i < 4; ++i) {
      const std::lock_guard guard(lock);
      sum += value;
    }
  };
  std::thread one(add, 1);
  std::thread two(add, 2);
  std::thread three(add, 3);
  one.join();
  two.join();
  three.join();
  return sum == 24 ? 0 : 1;
}
