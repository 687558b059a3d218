// The last one takes its forks in the order of their numbers, and all wait for the first fork they need.
// expect: passes
#include <latch>
#include <mutex>
#include <thread>
#include <utility>

#include <heddle/heddle.hpp>

void test() {
  std::mutex forks[3];
  std::latch all(3);
  const auto dine = [&](int seat) {
    all.arrive_and_wait();
    int low = seat, high = (seat + 1) % 3;
    if (low > high) std::swap(low, high);
    const std::lock_guard first(forks[low]);
    const std::lock_guard second(forks[high]);
  };
  std::thread one(dine, 0), two(dine, 1), three(dine, 2);
  one.join();
  two.join();
  three.join();
}

int main() { return heddle::explore_main(test, {.name = "polite trio", .steps_max = 3000}); }
