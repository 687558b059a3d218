// Programs in which one operation ends everything while another can go on, or ends it in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RunSeesTwoEnds : public ::testing::TestWithParam<const char*> {
 protected:
  /// All that goes wrong in that program of tests/run_programs/act.cpp.
  std::string failures_of(const std::string& name) {
    return testing::run_heddle("run --keep-going --executions 100 --strategy " + std::string(GetParam()) +
                                   " -- " HEDDLE_RUN_PROGRAMS "/act " + name,
                               folder_.path())
        .output;
  }
  testing::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Under, RunSeesTwoEnds, ::testing::Values("dfs", "dfs:reduce=1", "random"));

TEST_P(RunSeesTwoEnds, AnExitThatOvertakesAnAbort) {
  EXPECT_THAT(failures_of("abort-beside-exit"),
              AllOf(HasSubstr("abort was called"), HasSubstr("the program ended with exit code 3")));
}

TEST_P(RunSeesTwoEnds, AnAbortAndAnAssertion) {
  EXPECT_THAT(failures_of("abort-beside-assert"),
              AllOf(HasSubstr("abort was called"), HasSubstr("assertion `winner == 1` failed at act.cpp:")));
}

// An end that waited for its turn is still told with the line that called it.
TEST_P(RunSeesTwoEnds, WithTheirLines) {
  EXPECT_THAT(failures_of("abort-beside-exit"), HasSubstr("abort was called at act.cpp:"));
}

class RunProvesEnds : public ::testing::TestWithParam<const char*> {
 protected:
  testing::Outcome explore(const std::string& name) {
    return testing::run_heddle("run --strategy " + std::string(GetParam()) + " -- " HEDDLE_RUN_PROGRAMS "/act " + name,
                               folder_.path());
  }
  testing::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Under, RunProvesEnds, ::testing::Values("dfs", "dfs:reduce=1"));

TEST_P(RunProvesEnds, OfTwoThreadsThatCallExitTheFirstEndsTheProgram) {
  const auto nothing = explore("exit-while-main-returns");
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, AllOf(HasSubstr("every schedule"), HasSubstr("was explored: none fails")));
}

TEST_P(RunProvesEnds, ExitHandlersAreRegisteredInEveryOrder) {
  const auto found = explore("register-handlers");
  EXPECT_EQ(found.code, 2) << found.output;
  EXPECT_THAT(found.output, HasSubstr("abort was called"));
}

}  // namespace
}  // namespace heddle
