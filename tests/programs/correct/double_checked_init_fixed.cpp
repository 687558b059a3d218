// A static variable of a function is made once, and whoever comes meanwhile waits. It outlives an execution, so each
// execution in which it is to be made has one of its own.
// expect: passes strategy=random executions<=1000
// expect: passes strategy=pct executions<=1000
#include <array>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>

#include <heddle/heddle.hpp>

std::mutex registry;
int made;

struct Service {
  Service() {
    const std::lock_guard registered(registry);
    ++made;
  }
  int value = 42;
};

template <std::size_t>
int value_of_service() {
  static Service service;
  return service.value;
}

constexpr std::size_t kExecutions = 1010;  // and some that heddle does not count
using Function = int (*)();

template <std::size_t... Which>
constexpr std::array<Function, kExecutions> all_of(std::index_sequence<Which...>) {
  return {value_of_service<Which>...};
}

std::size_t execution;

void test() {
  static constexpr auto kFunctions = all_of(std::make_index_sequence<kExecutions>());
  const Function value = kFunctions[execution++];
  made = 0;
  const auto use = [&] { assert(value() == 42); };
  std::thread one(use);
  std::thread two(use);
  one.join();
  two.join();
  assert(made == 1);
}

int main() { return heddle::explore_main(test); }
