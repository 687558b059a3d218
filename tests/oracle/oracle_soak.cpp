// The long form of oracle_test.cpp: more programs, larger ones, and both executors.
#include <gtest/gtest.h>

#include <string>

#include "oracle/search.hpp"

namespace heddle::oracle {
namespace {

class OracleSoak : public testing::TestWithParam<int> {
 protected:
  void search_for_differences(Plan plan) {
    plan.theme = static_cast<Theme>(GetParam());
    plan.strategies = {"dfs", "dfs:reduce=1", "ipb:bound=none", "idb:bound=none"};
    plan.findings_max = 5;
    plan.seconds_max = 3'600;
    for (const std::string& finding : search(plan).findings) ADD_FAILURE() << finding;
  }
};
INSTANTIATE_TEST_SUITE_P(Of, OracleSoak, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

constexpr std::uint64_t kAfterTheTest = 1'000'000;  // seeds that oracle_test.cpp does not have

TEST_P(OracleSoak, AgreesWithEverySearchThatEnds) {
  search_for_differences(
      {.first_seed = kAfterTheTest, .programs = 5'000, .bounds = {.states = 50'000, .executions = 20'000}});
}

TEST_P(OracleSoak, AgreesOnTheBaton) {
  search_for_differences({.first_seed = kAfterTheTest,
                          .programs = 300,
                          .bounds = {.states = 20'000, .executions = 300},
                          .executor = On::baton});
}

}  // namespace
}  // namespace heddle::oracle
