#include "report/suppressions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "trace/bank.hpp"

namespace heddle::report {
namespace {

using model::EventKind;
using model::ResourceKind;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SuppressionPattern, MatchesAsThreadSanitizerDoes) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } table[] = {
      {"push", "Queue::push(int)", true},
      {"push", "pop", false},
      {"^Queue", "Queue::push", true},
      {"^push", "Queue::push", false},
      {"push$", "Queue::push", true},
      {"Queue$", "Queue::push", false},
      {"^push$", "push", true},
      {"^push$", "push2", false},
      {"Queue::*::push", "Queue::a::push", true},
      {"Q*push*t", "Queue::push(int)", true},
      {"Q*push*x", "Queue::push(int)", false},
      {"^*push", "Queue::push", true},
      {"push*$", "Queue::push(int)", true},
      {"aab", "aaab", true},
      {"^a*b$", "abab", true},
      {"^a*b$", "aba", false},
      {"foo$", "foofoo", true},
      {"*", "anything", true},
      {"*", "", false},
      {"a.b", "axb", false},
      {"lib*.so", "/usr/lib/libz.so.1", true},
      {"", "x", true},
  };
  for (const auto& row : table)
    EXPECT_EQ(matches_pattern(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
}

/// T1 and T2, created in start() and main(), race in increment(), which T1 calls from work() of a library.
Trace race() {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("work", kMainOperation).operation("other", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::operation, "", OperationId{2});
  b.resource(ResourceKind::variable, "stopped").resource(ResourceKind::variable, "hits");
  const std::uint32_t increment = b.place("increment<int>(int&)", "/home/ann/count.hpp", 7);
  const std::uint32_t work = b.place("work()", "/home/ann/work.cpp", 20);
  const std::uint32_t other = b.place("other()", "/home/ann/other.cpp", 30);
  b.step(b.forced, 0, EventKind::create, 0, {b.place("start()", "/home/ann/main.cpp", 40)});
  b.step(b.forced, 0, EventKind::create, 1, {b.place("main", "/home/ann/main.cpp", 50)});
  b.trace().places[increment].module = "/opt/libcount.so";
  b.trace().accesses = {{OperationId{2}, AccessKind::read, 4, {other}, {}},
                        {OperationId{1}, AccessKind::write, 4, {increment, work}, {}},
                        {OperationId{0}, AccessKind::allocate, 4, {b.place("make()", "/home/ann/make.cpp", 60)}, {}}};
  b.verdict(VerdictKind::race, OperationId{2}, "T2 reads variable x2, which T1 wrote, and nothing orders the two");
  b.trace().verdict.mention = {ResourceId{3}, 9, 11};
  return b.trace();
}

bool is_suppressed(const std::string& line) {
  Suppressions suppressions;
  EXPECT_EQ(suppressions.parse(line, "s"), "");
  return suppressions.suppresses(race());
}

TEST(Suppressions, OfARaceAreHeldAgainstEveryFrameOfBothStacks) {
  for (const char* line : {"race:work", "race:other.cpp", "race:^increment<", "race:^increment$", "race:libcount.so",
                           "race:^start()$", "race:^hits$", "race:/home/ann/bank"})
    EXPECT_TRUE(is_suppressed(line)) << line;
  for (const char* line : {"race:^stopped$", "race:make", "race:^ncrement", "race:nothing"})
    EXPECT_FALSE(is_suppressed(line)) << line;
}

TEST(Suppressions, OfTheTopAreHeldAgainstTheInnermostFrames) {
  for (const char* line : {"race_top:increment", "race_top:other", "race_top:count.hpp"})
    EXPECT_TRUE(is_suppressed(line)) << line;
  for (const char* line : {"race_top:work", "race_top:start", "race_top:hits"})
    EXPECT_FALSE(is_suppressed(line)) << line;
}

TEST(Suppressions, OfALibraryAreHeldAgainstTheModuleThatMadeTheAccess) {
  EXPECT_TRUE(is_suppressed("called_from_lib:libcount.so"));
  EXPECT_FALSE(is_suppressed("called_from_lib:increment"));
}

TEST(Suppressions, AreReadAsThreadSanitizerReadsThem) {
  Suppressions suppressions;
  EXPECT_EQ(suppressions.parse("# of the logger\n\n  race:nothing \r\nrace_top:increment\nrace:work", "/a/b.supp"), "");
  EXPECT_EQ(suppressions.summary(), "");
  EXPECT_TRUE(suppressions.suppresses(race()));
  EXPECT_TRUE(suppressions.suppresses(race()));
  EXPECT_EQ(suppressions.races(), 2u);
  EXPECT_EQ(suppressions.summary(), "suppressed: 2 by race_top:increment (b.supp:4)");
}

TEST(Suppressions, OfOtherThingsThanRacesAreRefusedByName) {
  for (const std::string kind : {"deadlock", "signal", "mutex", "thread"}) {
    Suppressions suppressions;
    EXPECT_THAT(suppressions.parse("race:x\n" + kind + ":work\n", "b.supp"),
                StartsWith("b.supp:2: `" + kind + ":work`: heddle suppresses races only"));
  }
}

TEST(Suppressions, ThatAreNoneAreRefusedWithTheirLine) {
  for (const char* line : {"work", "race", "race:", "races:work", ":work", "race work"}) {
    Suppressions suppressions;
    EXPECT_THAT(suppressions.parse(std::string("# one\n") + line + "\n", "b.supp"),
                HasSubstr(std::string("b.supp:2: expected a suppression such as race:pattern")))
        << line;
  }
  Suppressions suppressions;
  EXPECT_EQ(suppressions.read("/nowhere/b.supp"), "the suppressions in /nowhere/b.supp cannot be read");
}

TEST(Suppressions, AreFoundInTheOptionsOfThreadSanitizer) {
  EXPECT_EQ(suppressions_in(nullptr), "");
  EXPECT_EQ(suppressions_in("halt_on_error=1"), "");
  EXPECT_EQ(suppressions_in("suppressions=a.supp"), "a.supp");
  EXPECT_EQ(suppressions_in("halt_on_error=1:suppressions=/b/a.supp history_size=7"), "/b/a.supp");
  EXPECT_EQ(suppressions_in("x='a b':suppressions=\"my file\",y=2"), "my file");
  EXPECT_EQ(suppressions_in("print_suppressions=0 suppressions=a"), "a");
}

}  // namespace
}  // namespace heddle::report
