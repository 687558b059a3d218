// The numbers that the SCTBench study states for its figures 1 and 2 (sections 2.3 and 2.4).
#include <gtest/gtest.h>

#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using strategy::BoundedSearch;

struct Search {
  std::uint64_t executions = 0;
  std::uint64_t failures = 0;
  std::string explored;
};

Search search(const Program& program, strategy::Strategy& strategy) {
  Search seen;
  seen.executions = explore(program, strategy, 1, 1'000'000, [&](const Result& result) {
    seen.failures += result.verdict.kind == VerdictKind::assertion;
    return true;
  });
  seen.explored = strategy.explored();
  return seen;
}

TEST(Study, Figure1HasElevenSchedulesWithinOnePreemption) {
  const auto ipb = strategy::make_preemption_bounding(1);
  const Search seen = search(figure_1(), *ipb);
  EXPECT_EQ(seen.executions, 11u);
  EXPECT_EQ(ipb->executions_at(0), 6u);  // the orders of T1, T2 and T3
  EXPECT_EQ(ipb->executions_at(1), 5u);
  EXPECT_EQ(seen.failures, 3u);                // abe, abde and dbe: T3 runs between b and c
  EXPECT_EQ(seen.explored, "every schedule");  // no schedule of this program has two
}

TEST(Study, Figure1HasFourSchedulesWithinOneDelay) {
  const auto idb = strategy::make_delay_bounding(1);
  const Search seen = search(figure_1(), *idb);
  EXPECT_EQ(seen.executions, 4u);
  EXPECT_EQ(idb->executions_at(0), 1u);
  EXPECT_EQ(seen.failures, 1u);  // abde
  EXPECT_EQ(seen.explored, "every schedule with at most 1 delay");
}

TEST(Study, Figure1IsMissedWithoutPreemptionOrDelay) {
  const Search preemptions = search(figure_1(), *strategy::make_preemption_bounding(0));
  EXPECT_EQ(preemptions.executions, 6u);
  EXPECT_EQ(preemptions.failures, 0u);
  EXPECT_EQ(preemptions.explored, "every schedule without a preemption");
  const Search delays = search(figure_1(), *strategy::make_delay_bounding(0));
  EXPECT_EQ(delays.executions, 1u);
  EXPECT_EQ(delays.failures, 0u);
  EXPECT_EQ(delays.explored, "every schedule without a delay");
}

TEST(Study, Figure1HasElevenSchedulesInAll) {
  // 4!/2! = 12 orders of b, c, d and e have b before c. Where e comes between them the schedule ends with e, so that
  // becd and bedc are one.
  const Search all = search(figure_1(), *strategy::make_depth_first());
  EXPECT_EQ(all.executions, 11u);
  EXPECT_EQ(all.explored, "every schedule");
}

TEST(Study, Figure2NeedsOnePreemption) {
  EXPECT_EQ(search(figure_2(), *strategy::make_preemption_bounding(0)).failures, 0u);
  const Search one = search(figure_2(), *strategy::make_preemption_bounding(1));
  EXPECT_GT(one.failures, 0u);
  EXPECT_EQ(one.explored, "every schedule with at most 1 preemption");
}

TEST(Study, Figure2NeedsADelayMoreForEveryOperationBetween) {
  for (std::uint32_t extra = 0; extra < 4; ++extra) {
    EXPECT_EQ(search(figure_2(extra), *strategy::make_delay_bounding(extra)).failures, 0u) << extra;
    EXPECT_GT(search(figure_2(extra), *strategy::make_delay_bounding(extra + 1)).failures, 0u) << extra;
    EXPECT_GT(search(figure_2(extra), *strategy::make_preemption_bounding(1)).failures, 0u) << extra;
  }
}

}  // namespace
}  // namespace heddle::test
