#include "report/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/approved.hpp"
#include "report/chart_events.hpp"
#include "trace/bank.hpp"

namespace heddle::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A client that asks a server twice; the second answer is under way when the client fails, and a third is dropped.
Trace conversation() {
  testing::TraceBuilder b;
  b.operation("test", kNoOperation).operation("Server(1)", kMainOperation).operation("Client<int>(2)", kMainOperation);
  b.verdict(VerdictKind::specification, OperationId{2}, "it was not what it asked for");
  const OperationId body{0}, server{1}, client{2}, nobody = kNoOperation;
  b.trace().notes = {
      {0, body, "created", server, ""},        {0, body, "created", client, ""},
      {0, server, "entered", nobody, "Ready"}, {0, client, "sent", server, "Ask"},
      {0, client, "sent", server, "Ask"},      {0, server, "deferred", nobody, "Ask"},
      {0, server, "taken", nobody, "Ask"},     {0, server, "sent", client, "Answer"},
      {0, client, "sent", client, "Tick"},     {0, server, "taken", nobody, "Ask"},
      {0, server, "sent", client, "Answer"},   {0, client, "taken", nobody, "Answer"},
      {0, client, "pushed", nobody, "Happy"},  {0, server, "halted", nobody, "Ready"},
      {0, client, "sent", server, "Ask"},      {0, server, "dropped", nobody, "Ask"},
      {0, client, "text", nobody, "done"},
  };
  return b.trace();
}

TEST(Chart, AMessageMeetsItsTaking) {
  const ChartEvents all = happenings_of(conversation());
  ASSERT_EQ(all.lanes.size(), 3u);
  std::size_t met = 0;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const ChartEvent& row = all.rows[i];
    if (row.match == ChartEvent::kNone) continue;
    EXPECT_EQ(all.rows[row.match].match, i);
    EXPECT_EQ(row.text, all.rows[row.match].text);
    if (row.kind != ChartEvent::Kind::sent) continue;
    EXPECT_LT(i, row.match);
    EXPECT_EQ(row.other, all.rows[row.match].lane);
    ++met;
  }
  EXPECT_LT(all.rows[3].match, all.rows[4].match);  // the first question is taken first
  EXPECT_EQ(met, 4u);                               // three questions, one of them dropped, and one answer of two
}

TEST(Chart, IsAColumnALane) {
  testing::expect_approved("chart_columns", chart_text(conversation(), Paint(false), 100));
}

TEST(Chart, IsALineAHappeningWhereColumnsDoNotFit) {
  testing::expect_approved("chart_lines", chart_text(conversation(), Paint(false), 40));
}

TEST(Chart, IsAPicture) {
  const std::string svg = chart_svg(conversation());
  testing::expect_approved("chart_svg", svg);
  EXPECT_THAT(svg, HasSubstr("Client&lt;int&gt;(2)"));
  EXPECT_THAT(svg, Not(HasSubstr("http://www.w3.org/1999")));
}

TEST(Chart, NeedsMessages) {
  EXPECT_FALSE(has_chart(testing::bank_trace()));
  EXPECT_TRUE(has_chart(conversation()));
}

}  // namespace
}  // namespace heddle::report
