#include "trace/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace/bank.hpp"
#include "trace/generated.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Difference difference_after(void (*change)(Trace&)) {
  const Trace expected = testing::bank_trace();
  Trace actual = expected;
  change(actual);
  const auto found = first_difference(expected, actual);
  EXPECT_TRUE(found);
  return found.value_or(Difference{});
}

TEST(Compare, FindsNoDifferenceBetweenATraceAndItself) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Trace trace = testing::TraceGenerator(seed).trace();
    EXPECT_FALSE(first_difference(trace, trace));
  }
}

TEST(Compare, FindsTheFirstStepThatIsAnother) {
  const Difference difference = difference_after([](Trace& actual) {
    actual.steps[6].resource = ResourceId{3};
    actual.steps[6].stack = actual.steps[9].stack;
    actual.steps[7].kind = model::EventKind::yield;
  });
  EXPECT_EQ(difference.step, 7u);
  EXPECT_EQ(difference.text, "step 7: expected T2 lock m1 at bank.cpp:11, got T2 lock m2 at bank.cpp:15");
  EXPECT_THAT(difference.cause, StartsWith("T2 took another path before this step. The program depends on something "
                                           "that heddle does not control: addresses"));
}

TEST(Compare, TellsTwoPlacesOnOneLineApart) {
  const Difference difference = difference_after([](Trace& actual) {
    Place other = actual.places[actual.steps[6].stack[0]];
    other.offset += 16;
    actual.places.push_back(other);
    actual.steps[6].stack[0] = static_cast<std::uint32_t>(actual.places.size() - 1);
  });
  EXPECT_EQ(difference.text,
            "step 7: expected T2 lock m1 at bank.cpp:11 (bank+0x112c), got T2 lock m1 at bank.cpp:11 (bank+0x113c)");
}

TEST(Compare, DoesNotMindWhereTheProgramLies) {
  const Trace expected = testing::bank_trace();
  Trace actual = expected;
  for (Place& place : actual.places) place.module = "/tmp/copy/bank";
  EXPECT_FALSE(first_difference(expected, actual));
  for (TraceStep& step : actual.steps) step.stack.clear();
  EXPECT_FALSE(first_difference(expected, actual));
}

TEST(Compare, NamesAnOperationThatWasNeverCreated) {
  const Difference difference = difference_after([](Trace& actual) {
    actual.operations.resize(2);
    actual.steps[5].operation = OperationId{1};
  });
  EXPECT_EQ(difference.text, "step 6: expected T2 start, got T1 start");
  EXPECT_THAT(difference.cause, StartsWith("T2 was never created this time. "));
}

TEST(Compare, NamesAnOperationThatCouldNotGo) {
  const Difference difference = difference_after([](Trace& actual) { actual.steps[5].operation = OperationId{1}; });
  EXPECT_THAT(difference.cause, StartsWith("T2 could not take this step. "));
}

TEST(Compare, SeesAnotherBoundOfADataChoice) {
  const Difference difference = difference_after([](Trace& actual) { actual.steps[8].bound = 4; });
  EXPECT_EQ(difference.text, "step 9: expected T2 choose =1/3 at bank.cpp:14, got T2 choose =1/4 at bank.cpp:14");
  EXPECT_THAT(difference.cause, StartsWith("The choice has another number of outcomes this time. "));
}

TEST(Compare, SeesThatOthersCouldHaveGone) {
  const Difference difference = difference_after([](Trace& actual) { actual.steps[3].is_choice = false; });
  EXPECT_EQ(difference.text,
            "step 4: expected T1 lock m1 at bank.cpp:11 as one of several, got T1 lock m1 at bank.cpp:11 alone");
  EXPECT_THAT(difference.cause, StartsWith("Other operations could have gone at this step. "));
}

TEST(Compare, SeesAnExecutionThatEndsTooEarlyOrTooLate) {
  const Difference early = difference_after([](Trace& actual) {
    actual.steps.resize(13);
    actual.verdict = {};
  });
  EXPECT_EQ(early.text, "step 14: expected T0 join T1 at bank.cpp:29, got the end of the execution (passed)");
  const Difference late = difference_after([](Trace& actual) { actual.steps.push_back(actual.steps[0]); });
  EXPECT_EQ(late.text,
            "step 16: expected the end of the execution (assertion of T0: assertion `total == 100` failed at "
            "bank.cpp:34), got T0 create T1 at bank.cpp:27");
}

TEST(Compare, HasNothingToSayOfATraceThatHasChoicesOnly) {
  const Trace actual = testing::bank_trace();
  const Trace expected = trace_of_choices(actual.schedule(), static_cast<std::uint32_t>(actual.operations.size()));
  EXPECT_FALSE(first_difference(expected, actual));
}

TEST(Compare, SeesAnotherVerdictAfterTheSameSteps) {
  const Difference difference = difference_after([](Trace& actual) { actual.verdict = {}; });
  EXPECT_THAT(difference.text, HasSubstr("after step 15: expected assertion of T0: "));
  EXPECT_THAT(difference.text, HasSubstr(", got passed"));
}

}  // namespace
}  // namespace heddle
