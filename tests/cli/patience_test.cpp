// How long an execution may stand still, by a clock that the test keeps.
#include "cli/patience.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

using std::chrono::milliseconds;
using Advice = Patience::Advice;

class PatienceTest : public ::testing::Test {
 protected:
  /// Looks every 20 ms at an execution that takes no step. Returns after how many ms it is to be ended; -1: it is not.
  int ended_after(int at_most_ms, bool cannot_move = false) {
    ++sign_.begun;
    for (int passed = 0; passed <= at_most_ms; passed += 20, now_ += milliseconds(20))
      if (patience_.look(sign_, now_, cannot_move) == Advice::end) return passed;
    return -1;
  }

  Patience::Time now_{};
  Patience patience_{now_, {}};
  Patience::Sign sign_{0, 0, true};
};

TEST_F(PatienceTest, TheFirstExecutionHasFiveSeconds) { EXPECT_EQ(ended_after(10'000), 5000); }

TEST_F(PatienceTest, LaterOnesHaveHalfASecondIfNoneEndedByItself) {
  ended_after(10'000);
  EXPECT_EQ(ended_after(10'000), 500);
}

TEST_F(PatienceTest, LaterOnesHaveFourTimesTheLongestThatEndedByItself) {
  EXPECT_EQ(ended_after(400), -1);
  ended_after(10'000);
  EXPECT_NEAR(ended_after(10'000), 4 * 400, 4 * 40);  // it looks every 20 ms, and ends one look later
}

TEST_F(PatienceTest, AShortRunHasHalfOfItsTime) {
  patience_ = Patience(now_, milliseconds(6000));
  EXPECT_EQ(ended_after(10'000), 3000);
}

TEST_F(PatienceTest, OneThatCannotMoveIsEndedAfterASecond) { EXPECT_EQ(ended_after(10'000, true), 1000); }

TEST_F(PatienceTest, StepsAreProgress) {
  for (int i = 0; i < 1000; ++i, now_ += milliseconds(20)) {
    if (i % 200 == 0) ++sign_.steps;
    EXPECT_NE(patience_.look(sign_, now_), Advice::end);
  }
}

TEST_F(PatienceTest, WhatHeddleItselfDoesTakesNoneOfIt) {
  sign_.runs = false;
  EXPECT_EQ(ended_after(20'000), -1);
}

TEST_F(PatienceTest, PokesBeforeItEnds) {
  sign_.begun = 1;
  patience_.look(sign_, now_);
  EXPECT_EQ(patience_.look(sign_, now_ + milliseconds(900)), Advice::wait);
  EXPECT_EQ(patience_.look(sign_, now_ + milliseconds(1100)), Advice::poke);
}

}  // namespace
}  // namespace heddle::cli
