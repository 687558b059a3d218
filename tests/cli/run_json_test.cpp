// What `heddle run --json` tells other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;

class RunJson : public ::testing::Test {
 protected:
  /// What is written of that program of tests/run_programs/act.cpp.
  nlohmann::json told_of(const std::string& name, const std::string& options = "") {
    printed_ = testing::run_heddle("run --json told.json " + options + " -- " HEDDLE_RUN_PROGRAMS "/act " + name,
                                   folder_.path())
                   .output;
    std::ifstream file(folder_ / "told.json");
    return nlohmann::json::parse(file);
  }

  testing::TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(RunJson, TellsHowMuchIsLikelyLeft) {
  const nlohmann::json told = told_of("correct", "--executions 300");
  EXPECT_THAT(printed_, HasSubstr("shows in fewer than 1 of 100 such executions"));
  EXPECT_DOUBLE_EQ(told["chance_of_bug_at_most"], 0.01);
  EXPECT_GE(told["orderings"], 1);
  EXPECT_LE(told["chance_of_new_ordering_at_least"], told["chance_of_new_ordering"]);
  EXPECT_LE(told["chance_of_new_ordering"], told["chance_of_new_ordering_at_most"]);
}

TEST_F(RunJson, BoundsTheChanceOfABugOnlyWhereNoneIsKnown) {
  EXPECT_FALSE(told_of("exit").contains("chance_of_bug_at_most"));
  EXPECT_FALSE(told_of("correct", "--strategy roundrobin").contains("chance_of_bug_at_most"));  // all is explored
}

}  // namespace
}  // namespace heddle
