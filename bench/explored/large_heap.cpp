// 200 MB of heap, touched before the threads start.
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr std::size_t kBytes = 200u << 20;
  const std::vector<char> table(kBytes, 1);
  std::mutex lock;
  long sum = 0;
  const auto read = [&](std::size_t at) {
    const std::lock_guard guard(lock);
    sum += table[at];
  };
  std::thread one(read, 1);
  std::thread two(read, kBytes / 2);
  one.join();
  two.join();
  return sum == 2 ? 0 : 1;
}
