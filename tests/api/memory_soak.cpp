// Ten million executions of a small test, without growth of memory.
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

namespace {

std::size_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident;
}

void explore(std::uint64_t executions) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = executions;
  options.output = heddle::Output::quiet;
  heddle::explore(
      [] {
        int x = 0;
        std::mutex mutex;
        const auto set = [&](int value) {
          const std::lock_guard lock(mutex);
          x = value;
        };
        std::thread one(set, 1), two(set, 2);
        one.join();
        two.join();
      },
      options);
}

TEST(Memory, TenMillionExecutionsDoNotGrow) {
  explore(100'000);
  const std::size_t before = resident_pages();
  explore(10'000'000);
  EXPECT_LT(resident_pages(), before + 64) << "pages before: " << before;
}

}  // namespace
