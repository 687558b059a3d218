// The last philosopher takes the forks in the other order.
// expect: passes
// expect: passes strategy=ipb:bound=0 complete executions=501
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

constexpr std::size_t kPhilosophers = 5;

void test() {
  std::array<std::mutex, kPhilosophers> forks;
  std::array<std::thread, kPhilosophers> philosophers;
  for (std::size_t i = 0; i < kPhilosophers; ++i)
    philosophers[i] = std::thread([&forks, i] {
      const std::size_t other = (i + 1) % kPhilosophers;
      const std::lock_guard first(forks[std::min(i, other)]);
      const std::lock_guard second(forks[std::max(i, other)]);
    });
  for (std::thread& philosopher : philosophers) philosopher.join();
}

int main() { return heddle::explore_main(test); }
