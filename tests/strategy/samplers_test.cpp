// The promises of POS, taPCT, URW, SURW and site priorities.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/hash.hpp"
#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

using Maker = std::unique_ptr<strategy::Strategy> (*)();

/// The mean, over trials with seeds of their own, of the executions up to the first that fails.
double mean_executions_to_bug(const Program& program, Maker make, int trials, std::uint64_t limit = 10'000) {
  double sum = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto strategy = make();
    std::uint64_t executions = 0;
    explore(program, *strategy, combine(5, static_cast<std::uint64_t>(trial)), limit, [&](const Result& result) {
      ++executions;
      return !result.verdict.is_failure();
    });
    sum += static_cast<double>(executions);
  }
  return sum / trials;
}

TEST(Sites, MeetThePatternsOfManyThreadsWhateverTheirNumber) {
  for (const std::uint32_t n : {3u, 10u, 100u, 1000u}) {
    const auto sites = [] { return strategy::make_site_priorities(0); };
    const int trials = n == 1000 ? 30 : 200;
    const double reordered = mean_executions_to_bug(reorder(n), sites, trials);
    const double staged = mean_executions_to_bug(two_stage(n), sites, trials);
    RecordProperty("reorder_" + std::to_string(n), std::to_string(reordered));
    std::printf("sites: reorder_%u %.1f  twostage_%u %.1f\n", n, reordered, n, staged);
    EXPECT_LT(reordered, 15) << n;
    EXPECT_LT(staged, 15) << n;
  }
}

// Published: reorder_3, 4, 5, 10, 20, 50 and 100 in 7, 7, 10, 17, 6, 13 and 194 schedules, twostage, _20, _50 and _100
// in 8, 6, 20 and 454 (the artefact of the SURW paper, means of 20 trials), with as many of each kind of thread as
// here.
TEST(SelectiveWalk, IsAsGoodAsPublished) {
  struct Row {
    const char* name;
    Program program;
    double published;
  };
  const Row rows[] = {
      {"reorder_3", reorder(2, 1), 7},         {"reorder_4", reorder(3, 1), 7},
      {"reorder_5", reorder(4, 1), 10},        {"reorder_10", reorder(9, 1), 17},
      {"reorder_20", reorder(10, 10), 6},      {"reorder_50", reorder(40, 10), 13},
      {"reorder_100", reorder(99, 1), 194},    {"twostage", two_stage(1, 1), 8},
      {"twostage_20", two_stage(10, 10), 6},   {"twostage_50", two_stage(40, 10), 20},
      {"twostage_100", two_stage(99, 1), 454},
  };
  for (const Row& row : rows) {
    const double mean = mean_executions_to_bug(
        row.program, [] { return strategy::make_selective_walk(); }, row.published > 100 ? 30 : 200);
    std::printf("surw: %s %.1f (%.0f)\n", row.name, mean, row.published);
    EXPECT_LE(mean, 1.5 * row.published) << row.name;
  }
}

}  // namespace
}  // namespace heddle::test
