// Threads that take locks and compute for about a second of real time.
#include <cstdint>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  std::uint64_t sum = 0;
  const auto work = [&](std::uint64_t seed) {
    for (int round = 0; round < 1'500'000; ++round) {
      for (int i = 0; i < 500; ++i) seed = seed * 6364136223846793005u + 1442695040888963407u;
      const std::lock_guard guard(lock);
      sum += seed;
    }
  };
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
  return sum == 0 ? 1 : 0;
}
