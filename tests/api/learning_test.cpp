// The program of figure 1 of the QL paper (Mukherjee et al., OOPSLA 2020): two workers send 0 and 1, and only one
// string of ten is the bug. Table 1 has the shares of buggy executions; ours must be half of QL's at the least.
#include <gtest/gtest.h>
#include <pthread.h>

#include <string>
#include <thread>

#include <heddle/heddle.hpp>

namespace {

double buggy_share(const std::string& wanted, const std::string& strategy, bool by_value) {
  std::uint64_t buggy = 0;
  const auto body = [&] {
    const auto length = static_cast<int>(wanted.size());
    int matched = 0;
    int taken = 0;
    const auto take = [&](int digit) {
      heddle::step();
      if (++taken > length) return;
      if (matched >= 0) matched = digit == wanted[static_cast<std::size_t>(matched)] - '0' ? matched + 1 : -1;
      heddle::observe(&matched, static_cast<std::uint64_t>(matched + 1));
    };
    const auto send = [&](int digit) {
      for (int i = 0; i < length; ++i) take(digit >= 0 ? digit : static_cast<int>(heddle::choose(2)));
    };
    std::thread first(send, by_value ? -1 : 0);
    if (by_value) {
      first.join();
    } else {
      std::thread second(send, 1);
      first.join();
      second.join();
    }
    buggy += matched == length;
  };
  heddle::Options options;
  options.strategy = strategy;
  options.executions = 10'000;
  options.output = heddle::Output::quiet;
  const heddle::Result result = heddle::explore(body, options);
  return static_cast<double>(buggy) / static_cast<double>(result.executions);
}

TEST(Learning, FindsTheStringsOfTheQlPaper) {
  EXPECT_GT(buggy_share("0000000001", "ql_custom", false), 0.0734 / 2);
  EXPECT_GT(buggy_share("0101010101", "ql_custom", false), 0.0782 / 2);
  EXPECT_GT(buggy_share("0101010001", "ql_custom", false), 0.0707 / 2);
  EXPECT_GT(buggy_share("0101010001", "ql_custom:divide=1", false), 0.0707 / 2);
}

TEST(Learning, TreatsValuesLikeOperations) {
  EXPECT_GT(buggy_share("0101010101", "ql_custom", true), 0.0782 / 2);
  EXPECT_LT(buggy_share("0101010101", "ql_ndn", true), 0.005);  // one in 1,024
}

TEST(Learning, TriesAFailureOnceInEachStateAndSeldomAgain) {
  const auto failures = [](const std::string& strategy) {
    int count = 0;
    heddle::Options options;
    options.strategy = strategy;
    options.executions = 500;
    options.output = heddle::Output::quiet;
    (void)heddle::explore([&] { count += heddle::inject_failure(); }, options);
    return count;
  };
  for (const char* strategy : {"ql", "avoid"}) {
    EXPECT_GE(failures(strategy), 1) << strategy;
    EXPECT_LE(failures(strategy), 5) << strategy;
  }
  EXPECT_GT(failures("ql_basic"), 100);  // without OPT-2 it is a choice like any other
}

TEST(Learning, AvoidsWhatOnlyGoesRoundAndRound) {
  int rounds_taken = 0;
  heddle::Options options;
  options.strategy = "avoid";
  options.executions = 500;
  options.output = heddle::Output::quiet;
  (void)heddle::explore(
      [&] {
        bool is_other_first = false;
        bool is_first_known = false;
        std::thread other([&] {
          heddle::step();
          if (!is_first_known) is_other_first = true;
          is_first_known = true;
        });
        heddle::step();
        is_first_known = true;
        other.join();
        if (!is_other_first) return;
        ++rounds_taken;
        for (int i = 0; i < 50; ++i) heddle::step();  // nobody else is there: no choices
      },
      options);
  EXPECT_GT(rounds_taken, 0);
  EXPECT_LT(rounds_taken, 125);  // 250 expected if a step without a choice were not seen, and 11 sigma below that
}

TEST(Learning, SaysHowMuchIsLeft) {
  heddle::Options options;
  options.strategy = "random";
  options.executions = 500;
  options.output = heddle::Output::quiet;
  const heddle::Result result = heddle::explore(
      [] {
        std::thread other([] { heddle::step(); });
        heddle::step();
        other.join();
      },
      options);
  // A plain step may touch anything: it comes before the start of the other thread, between its start and step, or
  // after.
  EXPECT_EQ(result.classes, 3u);
  EXPECT_EQ(result.chance_of_new_class, 0);
  EXPECT_DOUBLE_EQ(result.chance_of_new_class_max, 3.0 / 32);  // one execution in sixteen is looked at
  EXPECT_NE(result.report.find("distinct ordering"), std::string::npos) << result.report;
}

}  // namespace
