// `heddle run` on programs made of state machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "run.hpp"

namespace heddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(RunMachines, FindsABugOfThemAsTheyAreDeployed) {
  const TemporaryFolder folder;
  const std::string sentence = "OneValue in state Watching on Learned: two values were learned";
  const Outcome found =
      run_heddle("run --strategy sink --trace-dir '" + folder.path() + "' -- '" HEDDLE_RUN_PROGRAMS "/machines'");
  EXPECT_EQ(found.code, 2) << found.output;
  EXPECT_THAT(found.output,
              AllOf(HasSubstr(sentence), HasSubstr("seen twice"), HasSubstr(" sends Promise to Proposer(")));
  const Outcome again = run_heddle("replay machines.*.trace", folder.path());
  EXPECT_EQ(again.code, 2) << again.output;
  EXPECT_THAT(again.output, HasSubstr("BUG again: " + sentence));
}

}  // namespace
}  // namespace heddle::testing
