// Generated programs, a theme at a time: what every systematic search shows is what the programs can do, no less and no
// more.
#include <gtest/gtest.h>

#include <string>

#include "oracle/search.hpp"

namespace heddle::oracle {
namespace {

class Oracle : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Oracle, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

TEST_P(Oracle, AgreesWithEverySearchThatEnds) {
  Plan plan;
  plan.theme = static_cast<Theme>(GetParam());
  plan.programs = 200;
  plan.strategies = {"dfs", "dfs:reduce=1", "ipb:bound=none", "idb:bound=none"};
  plan.bounds.executions = 700;
  const Searched searched = search(plan);
  for (const std::string& finding : searched.findings) ADD_FAILURE() << finding;
  if (HasFailure()) return;
  EXPECT_GT(searched.compared, plan.programs);  // of four times as many: those that are small enough
}

TEST_P(Oracle, ShowsTheSameWithTheNeededChoicesAlone) {
  Plan plan;
  plan.theme = static_cast<Theme>(GetParam());
  plan.programs = 4000;
  plan.strategies = {"needed/dfs"};
  plan.bounds.executions = 2'000;
  const Searched searched = search(plan);
  for (const std::string& finding : searched.findings) ADD_FAILURE() << finding;
  if (HasFailure()) return;
  EXPECT_GT(searched.compared, plan.programs / 2);
}

TEST_P(Oracle, AgreesWithSearchesWithinABound) {
  Plan plan;
  plan.theme = static_cast<Theme>(GetParam());
  plan.programs = 40;
  plan.strategies = {"idb:bound=0", "ipb:bound=0", "idb:bound=1", "ipb:bound=1", "idb:bound=2", "ipb:bound=2"};
  plan.bounds.executions = 1'000;
  const Searched searched = search(plan);
  for (const std::string& finding : searched.findings) ADD_FAILURE() << finding;
  if (HasFailure()) return;
  EXPECT_GT(searched.compared, 3 * plan.programs);  // of six times as many
}

}  // namespace
}  // namespace heddle::oracle
