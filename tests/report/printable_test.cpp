// Whatever a trace holds, no report of it can act on a terminal or add an element to a picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/printable.hpp"
#include "report/chart.hpp"
#include "report/failure.hpp"
#include "report/kept_trace.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "trace/compare.hpp"

namespace heddle::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Sets the title, is the other form of ESC [, reverses what follows, is no UTF-8, breaks the line, closes an element.
const std::string kHostile =
    "<b>\x1b]0;owned\a\xc2\x9b"
    "31m\u202e\xff\n</text><script>x</script>&'\"";

/// Every string that a trace can hold is hostile, and every part of a report has something to show.
Trace hostile_trace(VerdictKind kind, bool has_notes) {
  Trace trace;
  TraceHeader& header = trace.header;
  for (std::string* text : {&header.program, &header.directory, &header.exploration, &header.strategy})
    *text = kHostile;
  header.arguments = {kHostile};
  header.options = {{kHostile, kHostile}};
  trace.places = {{kHostile, 1, {}}, {kHostile, 2, {{kHostile, kHostile, 3}, {kHostile, "", 0}}}};
  trace.operations.resize(2);
  for (TraceOperation& operation : trace.operations) {
    operation.name = kHostile;
    operation.stack = {0, 1};
    operation.next = {model::EventKind::lock, ResourceId{0}, nullptr};
  }
  trace.operations[1].parent = OperationId{0};
  trace.resources = {{model::ResourceKind::mutex, kHostile, OperationId{1}},
                     {model::ResourceKind::variable, kHostile, kNoOperation}};
  for (std::uint32_t i = 0; i < 6; ++i)
    trace.steps.push_back({OperationId{i % 2}, model::EventKind::lock, ResourceId{i % 2}, true, i % 3 == 0, 0, 0, {1}});
  if (has_notes)
    trace.notes = {{1, OperationId{0}, "sent", OperationId{1}, kHostile},
                   {2, OperationId{1}, "entered", kNoOperation, kHostile},
                   {3, OperationId{1}, "text", kNoOperation, kHostile}};
  if (kind == VerdictKind::race)
    trace.accesses = {{OperationId{0}, AccessKind::write, 4, {1}, std::vector<TraceLock>{{ResourceId{0}, 1}}}};
  trace.verdict.kind = kind;
  trace.verdict.operation = OperationId{1};
  trace.verdict.set_text("before " + kHostile + " after");
  trace.verdict.mention = {ResourceId{1}, 7, static_cast<std::uint16_t>(kHostile.size())};
  return trace;
}

/// Only line breaks are left of what is not for showing.
void expect_harmless(const std::string& text) {
  std::string without_breaks;
  for (const char c : text)
    if (c != '\n') without_breaks += c;
  EXPECT_EQ(printable(without_breaks), without_breaks);
  EXPECT_THAT(text, HasSubstr("\\x1b]0;owned"));
}

TEST(HostileTrace, IsHarmlessInReports) {
  for (const VerdictKind kind : {VerdictKind::assertion, VerdictKind::deadlock, VerdictKind::race})
    for (const int width : {40, 100, 300})
      for (const bool has_notes : {false, true}) {
        FailureOptions options;
        options.width = width;
        options.trace_path = kHostile;
        expect_harmless(failure_report(hostile_trace(kind, has_notes), options));
      }
}

TEST(HostileTrace, IsHarmlessInCharts) {
  const Trace trace = hostile_trace(VerdictKind::failed, true);
  for (const std::size_t width : {20u, 60u, 200u}) expect_harmless(chart_text(trace, Paint(false), width));
  const std::string picture = chart_svg(trace);
  expect_harmless(picture);
  EXPECT_THAT(picture, Not(HasSubstr("<b>")));
  EXPECT_THAT(picture, HasSubstr("&lt;b&gt;"));
}

TEST(HostileTrace, IsHarmlessInDifferencesAndSummaries) {
  const Trace expected = hostile_trace(VerdictKind::failed, true);
  Trace actual = expected;
  actual.steps[3].stack = {0};
  const auto difference = first_difference(expected, actual);
  ASSERT_TRUE(difference);
  expect_harmless(difference_text(kHostile, *difference));
  expect_harmless(nothing_to_explore_text(kHostile));
  Summary summary;
  for (std::string* text : {&summary.name, &summary.strategy, &summary.last_unanswered, &summary.repeated,
                            &summary.instrumented, &summary.points, &summary.suppressed, &summary.go_on})
    *text = kHostile;
  summary.cut = 2;
  summary.unanswered = 1;
  expect_harmless(summary_text(summary));
}

TEST(HostileTrace, CannotNameAFileThatIsNoSource) {
  Trace trace = hostile_trace(VerdictKind::assertion, false);
  trace.places[1].lines = {{"main", "/etc/passwd", 1}};
  EXPECT_THAT(failure_report(trace, {}), Not(HasSubstr("root:")));
}

TEST(HostileWord, IsOneWordOfAShell) {
  EXPECT_EQ(shell_word("a\x1b"
                       "1'\\"),
            "$'a\\0331\\'\\\\'");
  EXPECT_EQ(shell_word("線程"), "'線程'");
}

}  // namespace
}  // namespace heddle::report
