#include "report/failure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/approved.hpp"
#include "trace/bank.hpp"

namespace heddle::report {
namespace {

using model::EventKind;
using model::ResourceKind;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSource = HEDDLE_TESTS_DIR "/report/data/bank.cpp";

FailureOptions found_options() {
  FailureOptions options;
  options.confirmed = true;
  options.trace_path = "bank.1.trace";
  return options;
}

/// Producers and consumers around a condition, more than fit side by side.
Trace crowd() {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation);
  for (int i = 0; i < 5; ++i) b.operation(i % 2 ? "Queue<int>::push(int)" : "Queue<int>::pop()", kMainOperation);
  for (std::uint32_t i = 1; i <= 5; ++i) b.resource(ResourceKind::operation, "", OperationId{i});
  b.resource(ResourceKind::mutex, "queue_lock").resource(ResourceKind::condition, "not_empty");
  const auto at = [&](int line) { return std::vector{b.place("Queue<int>::pop()", "/home/ann/queue.cpp", line)}; };
  for (std::uint32_t i = 1; i <= 5; ++i) b.step(b.forced, 0, EventKind::create, static_cast<int>(i) - 1, at(50));
  for (std::uint32_t i = 1; i <= 5; ++i) {
    b.step(b.chosen, i, EventKind::start, -1, {});
    b.step(b.chosen, i, EventKind::lock, 5, at(20)).step(b.chosen, i, EventKind::wait, 6, at(22));
  }
  b.stands(0, EventKind::join, 0, at(60));
  for (std::uint32_t i = 1; i <= 5; ++i) b.stands(i, EventKind::wake, 6, at(22));
  b.ends(5).verdict(VerdictKind::lost_wakeup, kNoOperation, "");
  b.trace().header.execution = 1;
  return b.trace();
}

/// Two operations that change a counter, each under a lock of its own; the second holds one more.
Trace race() {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("add(std::mutex&)", kMainOperation);
  b.operation("add(std::mutex&)", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::operation, "", OperationId{2});
  b.resource(ResourceKind::mutex, "first").resource(ResourceKind::read_write_lock, "");
  b.resource(ResourceKind::variable, "counter").resource(ResourceKind::variable, "own_lock");
  const auto at = [&](int line) { return std::vector{b.place("add(std::mutex&)", "/home/ann/count.cpp", line)}; };
  b.step(b.chosen, 1, EventKind::lock, 2, at(9)).step(b.chosen, 1, EventKind::unlock, 2, at(11)).ends(1);
  b.step(b.chosen, 2, EventKind::read_lock, 3, at(14));
  b.stands(2, EventKind::read_unlock, 3, at(15));
  b.trace().accesses = {
      {OperationId{2}, AccessKind::write, 4, at(15), std::vector<TraceLock>{{ResourceId{5}, 0}, {ResourceId{3}, 3}}},
      {OperationId{1}, AccessKind::write, 4, at(10), std::vector<TraceLock>{{ResourceId{2}, 1}}},
      {kMainOperation, AccessKind::read, 4, at(20), std::vector<TraceLock>()},
      {kMainOperation, AccessKind::read, 4, at(21), {}},  // of a trace that does not say
      {kMainOperation, AccessKind::allocate, 8, at(8), std::vector<TraceLock>()}};
  b.verdict(VerdictKind::race, OperationId{2}, "T2 writes variable x1, which T1 wrote, and nothing orders the two");
  b.trace().verdict.mention = {ResourceId{4}, 10, 11};
  return b.trace();
}

/// A thread that does much, and then spins for long before another one breaks in.
Trace long_story() {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("spinner", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::variable, "flag");
  const auto at = [&](int line) { return std::vector{b.place("spinner", "/home/ann/spin.cpp", line)}; };
  for (int i = 0; i < 150; ++i) b.step(b.chosen, 1, EventKind::read, 1, at(100 + i));
  for (int i = 0; i < 60; ++i)
    b.step(b.chosen, 1, EventKind::read, 1, at(7)).step(b.chosen, 1, EventKind::write, 1, at(8));
  for (int i = 0; i < 1500; ++i) b.step(b.chosen, 1, EventKind::yield, -1, at(9));
  b.step(b.chosen, 0, EventKind::write, 1, {b.place("main", "/home/ann/main.cpp", 3)});
  b.stands(1, EventKind::yield, -1, at(9)).verdict(VerdictKind::livelock, OperationId{1}, "no end after 1,771 steps");
  return b.trace();
}

TEST(FailureReport, ShowsAnAssertionInColumns) {
  testing::expect_approved("assertion", failure_report(testing::bank_trace(kSource), found_options()));
}

TEST(FailureReport, ShowsOneLineAStepWhereColumnsDoNotFit) {
  FailureOptions options = found_options();
  options.width = 72;
  testing::expect_approved("assertion_narrow", failure_report(testing::bank_trace(kSource), options));
}

TEST(FailureReport, DoesWithoutSourceFiles) {
  testing::expect_approved("assertion_without_source", failure_report(testing::bank_trace(), found_options()));
}

TEST(FailureReport, SaysWhoWaitsForWhomInADeadlock) {
  testing::expect_approved("deadlock", failure_report(testing::deadlock_trace(), found_options()));
}

TEST(FailureReport, ListsTheStepsOfManyOperations) {
  testing::expect_approved("lost_wakeup_of_many", failure_report(crowd(), found_options()));
}

TEST(FailureReport, ShowsTheEndOfALongExecution) {
  testing::expect_approved("livelock", failure_report(long_story(), found_options()));
}

TEST(FailureReport, TellsOfEachAccessOfARaceWhichLocksWereHeld) {
  testing::expect_approved("race", failure_report(race(), found_options()));
}

TEST(FailureReport, UsesColoursWhenAsked) {
  FailureOptions options = found_options();
  options.color = true;
  testing::expect_approved("deadlock_in_colour", failure_report(testing::deadlock_trace(), options));
}

TEST(FailureReport, SaysOnWhatOccasionItIs) {
  FailureOptions options;
  const Trace trace = testing::bank_trace();
  EXPECT_THAT(failure_report(trace, options), StartsWith("BUG after 41,217 executions: assertion `total == 100` failed "
                                                         "at bank.cpp:34\n"));
  options.occasion = Occasion::replayed;
  EXPECT_THAT(failure_report(trace, options), StartsWith("BUG again: assertion"));
  options.occasion = Occasion::shown;
  EXPECT_THAT(failure_report(trace, options), StartsWith("BUG found after 41,217 executions: assertion"));
}

TEST(FailureReport, SaysWhatToTypeToReplayIt) {
  FailureOptions options = found_options();
  options.trace_path = "my traces/bank.trace";
  EXPECT_THAT(failure_report(testing::bank_trace(), options),
              HasSubstr("  replay  heddle replay 'my traces/bank.trace'\n"));
  options.replay_command = "HEDDLE_REPLAY=x ./bank";
  EXPECT_THAT(failure_report(testing::bank_trace(), options),
              HasSubstr("  replay  HEDDLE_REPLAY=x ./bank\n  trace   my traces/bank.trace\n"));
}

TEST(FailureReport, NeverWritesMoreThanFits) {
  for (const int width : {40, 60, 72, 80, 100, 160}) {
    FailureOptions options = found_options();
    options.width = width;
    const std::string text = failure_report(testing::bank_trace(kSource), options);
    const std::string below = text.substr(text.find('\n') + 1);  // the verdict is a sentence: the terminal wraps it
    for (std::size_t at = 0; at < below.size(); at = below.find('\n', at) + 1) {
      const std::string line = below.substr(at, below.find('\n', at) - at);
      std::size_t columns = 0;
      for (const char c : line) columns += (c & 0xc0) != 0x80;
      EXPECT_LE(columns, static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(VerdictSentence, NamesThePlaceOnce) {
  Trace trace = testing::bank_trace();
  EXPECT_EQ(verdict_sentence(trace), "assertion `total == 100` failed at bank.cpp:34");
  trace.verdict.set_text("assertion `total == 100` failed");
  EXPECT_EQ(verdict_sentence(trace), "assertion `total == 100` failed at bank.cpp:34");
  trace.verdict.set_text("");
  EXPECT_EQ(verdict_sentence(trace), "assertion at bank.cpp:34");
}

TEST(VerdictSentence, TellsADeadlock) {
  Trace trace = testing::deadlock_trace();
  const std::string who = "T1 waits for m2 (held by T2), T2 waits for m1 (from, held by T1)";
  EXPECT_EQ(verdict_sentence(trace), "deadlock: " + who);
  trace.verdict.set_text("T1 and T2 stand still");
  EXPECT_EQ(verdict_sentence(trace), "deadlock: T1 and T2 stand still");
}

}  // namespace
}  // namespace heddle::report
