// Bodies that make no progress for reasons that heddle does not control, and failures inside initialisations.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "heddle/heddle.hpp"

namespace {

using ::testing::HasSubstr;

heddle::Options few(std::uint64_t executions) {
  heddle::Options options;
  options.executions = executions;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

TEST(Standstill, OfALoopThatSpinsIsEndedByAYield) {
  const heddle::Result result = heddle::try_explore(
      [] {
        std::atomic<int> flag{0};
        std::thread waits([&] {
          while (flag.load() == 0) {
          }
        });
        std::thread sets([&] { flag = 1; });
        waits.join();
        sets.join();
      },
      few(5));
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.executions, 5u);
  EXPECT_THAT(result.report, HasSubstr("computes without coming to a scheduling point at standstill_test.cpp:"));
}

TEST(Standstill, InTheKernelCutsTheExecutionAndEndsTheExploration) {
  const std::string fifo = std::filesystem::temp_directory_path() / ("heddle-fifo-" + std::to_string(getpid()));
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const heddle::Result result = heddle::try_explore(
      [&] {
        std::thread opens([&] { close(open(fifo.c_str(), O_RDONLY)); });
        opens.join();
      },
      few(1000));
  std::filesystem::remove(fifo);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_LT(result.executions, 10u);
  EXPECT_THAT(result.report, HasSubstr("is in a system call that heddle does not control"));
}

struct Fragile {
  Fragile() { throw std::runtime_error("no table"); }
};
void use() { static Fragile fragile; }

TEST(Initialisation, ThatThrowsIsReportedAsThat) {
  const heddle::Result result = heddle::try_explore(
      [] {
        std::thread one(use);
        std::thread two(use);
        one.join();
        two.join();
      },
      few(20));
  EXPECT_EQ(result.verdict, "exception") << result.report;
  EXPECT_THAT(result.message, HasSubstr("no table"));
  EXPECT_TRUE(result.reproduced);
}

}  // namespace
