// Five philosophers, each of whom takes the fork to the left first.
// expect: verdict=deadlock message="(T\d waits for m\d \(held by T\d\), ){4}T\d waits" executions<=20000
// expect: verdict=deadlock strategy=portfolio executions<=3 seeds=20
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
      const std::lock_guard left(forks[i]);
      const std::lock_guard right(forks[(i + 1) % kPhilosophers]);
    });
  for (std::thread& philosopher : philosophers) philosopher.join();
}

int main() { return heddle::explore_main(test); }
