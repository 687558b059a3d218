// Instrumented programs in which many threads do the same: how many executions the default strategy needs must not
// depend on how many threads there are.
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>
#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using testing::Outcome;
using testing::run_shell;

class ManyThreads : public ::testing::Test {
 protected:
  void build(const std::string& program) {
    const std::string source = HEDDLE_TESTS_DIR "/cli/instrumented/" + program + ".c";
    const Outcome built =
        run_shell("'" HEDDLE_COMMAND_PATH "' cc -O1 -pthread -o " + program + " '" + source + "'", folder_.path());
    ASSERT_EQ(built.code, 0) << built.output;
  }

  /// Until the assertion fails, under the default strategy with races promoted; the mean over the seeds from 1 on.
  double mean_executions(const std::string& program, int seeds) {
    double sum = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const Outcome found = run_shell("'" HEDDLE_COMMAND_PATH "' run --races promote --executions 1000 --seed " +
                                          std::to_string(seed) + " ./" + program,
                                      folder_.path());
      std::smatch count;
      EXPECT_EQ(found.code, 2) << found.output;
      const bool is_first = found.output.find("BUG in the first execution: assertion") != std::string::npos;
      const bool is_later =
          std::regex_search(found.output, count, std::regex("BUG after ([0-9]+) executions?: assertion"));
      EXPECT_TRUE(is_first || is_later) << found.output;
      sum += is_later ? std::stod(count[1]) : 1;
    }
    std::printf("%s: %.1f\n", program.c_str(), sum / seeds);
    return sum / seeds;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ManyThreads, OfAReorderingDoNotMakeItHarderToFind) {
  build("reorder");
  for (const char* threads : {"2 1", "9 1", "10 10", "49 1", "99 1"})
    EXPECT_LE(mean_executions(std::string("reorder ") + threads, 10), 15);
  EXPECT_LE(mean_executions("reorder 999 1", 4), 15);
}

TEST_F(ManyThreads, OfTwoStagesDoNotMakeThemHarderToFind) {
  build("two_stage");
  for (const char* threads : {"1 1", "9 1", "10 10", "49 1", "99 1"})
    EXPECT_LE(mean_executions(std::string("two_stage ") + threads, 10), 40);
}

}  // namespace
}  // namespace heddle
