#include "report/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "report/approved.hpp"

namespace heddle::report {
namespace {

ProgressNumbers numbers() {
  ProgressNumbers numbers;
  numbers.executions = 41216;
  numbers.steps = 1'240'000;
  numbers.distinct_schedules = 2113;
  numbers.elapsed_seconds = 0.4275;
  return numbers;
}

Summary summary() {
  Summary summary;
  summary.name = "Bank.Transfer";
  summary.strategy = "pct:depth=3";
  summary.seed = 7;
  summary.totals = numbers();
  summary.steps_max = 200'000;
  return summary;
}

TEST(ProgressLine, TellsWhatWasDoneAndWhatIsLeft) {
  ProgressNumbers n = numbers();
  EXPECT_EQ(progress_line(n, 100), "  41,216 executions · 96,400/s · 2,113 distinct schedules · 1.2 million steps");
  n.seconds_max = 10;
  n.distinct_is_exact = false;
  EXPECT_EQ(progress_line(n, 100),
            "  41,216 executions · 96,400/s · about 2,113 distinct schedules · 9.6 s left · 1.2 million steps");
  n.executions_max = 50'000;
  EXPECT_EQ(progress_line(n, 100),
            "  41,216 executions · 96,400/s · about 2,113 distinct schedules · 0.1 s left · 1.2 million steps");
}

TEST(ProgressLine, DropsWhatDoesNotFit) {
  EXPECT_EQ(progress_line(numbers(), 70), "  41,216 executions · 96,400/s · 2,113 distinct schedules");
  EXPECT_EQ(progress_line(numbers(), 40), "  41,216 executions · 96,400/s");
}

TEST(ProgressLine, BeginsWithNothing) {
  EXPECT_EQ(progress_line({}, 100), "  0 executions · 0/s · 0 distinct schedules · 0 steps");
}

TEST(ProgressLine, IsNotShownWhereNobodyWatches) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    Progress progress(fileno(file));
    EXPECT_FALSE(progress.is_shown());
    for (int i = 0; i < 3; ++i) progress.update(numbers());
  }
  EXPECT_EQ(std::fseek(file, 0, SEEK_END), 0);
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

TEST(SummaryText, SaysWhatWasTriedAndHowToGoOn) {
  Summary s = summary();
  s.go_on = "HEDDLE_SEED=8 HEDDLE_EXECUTIONS=1000000 ./bank_test";
  testing::expect_approved("summary", summary_text(s));
}

TEST(SummaryText, SaysHowMuchIsLikelyLeft) {
  Summary s = summary();
  s.totals.novelty = {.executions = 41216, .classes = 1482, .chance = 0.0327, .low = 0.0267, .high = 0.0387};
  testing::expect_approved("summary_with_left", summary_text(s));
  s.totals.executions = 29;  // too few for a bound on bugs
  s.totals.novelty = {.executions = 29, .classes = 3, .is_exact = false, .chance = 0, .low = 0, .high = 3. / 29};
  testing::expect_approved("summary_with_little_left", summary_text(s));
}

// With a chance above the bound at least one of n executions fails in 95 of 100 cases.
TEST(ChanceOfBug, IsBoundedByThreeOverN) {
  EXPECT_EQ(chance_of_bug_most(29), 1);
  for (const std::uint64_t n : {30u, 100u, 10'000u}) {
    const double most = chance_of_bug_most(n);
    EXPECT_LT(std::pow(1 - most, static_cast<double>(n)), 0.05) << n;
    EXPECT_GT(std::pow(1 - 0.9 * most, static_cast<double>(n)), 0.05) << n;  // and the bound is not idle
  }
}

TEST(SummaryText, SaysWhatIsProved) {
  Summary s = summary();
  s.strategy = "dfs:preemptions=2";
  s.explored = "every schedule with at most 2 preemptions";
  testing::expect_approved("summary_of_all", summary_text(s));
}

TEST(SummaryText, DoesNotCallItProvedIfExecutionsWereCut) {
  Summary s = summary();
  s.strategy = "dfs:preemptions=2";
  s.explored = "every schedule with at most 2 preemptions";
  s.cut = 37;
  s.totals.distinct_is_exact = false;
  testing::expect_approved("summary_with_cuts", summary_text(s));
}

TEST(SummaryText, SaysWhichLinesExecutionsThatWereCutRepeated) {
  Summary s = summary();
  s.cut = 1;
  s.repeated = "poll.cpp:12, poll.cpp:14 and queue.cpp:40";
  testing::expect_approved("summary_with_repeated_lines", summary_text(s));
}

TEST(SummaryText, SaysWhoWaitedForTheOutside) {
  Summary s = summary();
  s.cut = 3;
  s.unanswered = 3;
  s.last_unanswered = "T1 waits for d1 to have input: nothing came from outside in 2000 ms";
  testing::expect_approved("summary_with_unanswered", summary_text(s));
}

TEST(Summary, TellsWhatWasSeenOfAnInstrumentedProgram) {
  Summary instrumented = summary();
  instrumented.instrumented = "92 % of bank (12 of 13 functions)";
  instrumented.points = "40 at sync, 41176 at racy";
  instrumented.suppressed = "suppressed: 2 by race:log (tsan.supp:4)";
  testing::expect_approved("summary_of_instrumented", summary_text(instrumented));
}

}  // namespace
}  // namespace heddle::report
