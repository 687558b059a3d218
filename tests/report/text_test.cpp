#include "report/text.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(ReportText, WritesNumbersForPeople) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(41217), "41,217");
  EXPECT_EQ(with_commas(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(in_short(999'999), "999,999");
  EXPECT_EQ(in_short(3'240'000), "3.2 million");
  EXPECT_EQ(in_short(4'100'000'000), "4.1 billion");
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(1200, "step"), "1,200 steps");
}

TEST(ReportText, WritesTimesForPeople) {
  EXPECT_EQ(duration(0), "0.0 s");
  EXPECT_EQ(duration(0.44), "0.4 s");
  EXPECT_EQ(duration(9.96), "10 s");
  EXPECT_EQ(duration(125), "2 min 5 s");
  EXPECT_EQ(duration(3780), "1 h 3 min");
}

TEST(ReportText, CountsColumnsNotBytes) {
  EXPECT_EQ(columns("╳ a…"), 4u);
  EXPECT_EQ(cut("transfer", 8), "transfer");
  EXPECT_EQ(cut("transfer", 5), "tran…");
  EXPECT_EQ(cut("é…ü╳", 3), "é……");
  EXPECT_EQ(cut("abc", 0), "");
  EXPECT_EQ(padded("╳", 3), "╳  ");
  EXPECT_EQ(padded("long", 3), "long");
}

TEST(ReportText, BreaksLinesBetweenWords) {
  EXPECT_EQ(wrapped("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("unbreakable", 4, 2), "unbreakable");
  EXPECT_EQ(wrapped("", 4, 2), "");
}

TEST(ReportText, ShortensNamesOfFunctions) {
  EXPECT_EQ(short_function("main"), "main");
  EXPECT_EQ(short_function("transfer(int, int)"), "transfer");
  EXPECT_EQ(short_function("Queue<std::pair<int, int> >::push(std::pair<int, int>&&) const"), "Queue::push");
  EXPECT_EQ(short_function("void (anonymous namespace)::outer<int>(int) [clone .constprop.0]"), "outer");
  EXPECT_EQ(short_function("main::{lambda(int)#1}::operator()(int) const"), "main::{lambda#1}");
  EXPECT_EQ(short_function("main::$_0::operator()() const"), "main::{lambda}");
  EXPECT_EQ(short_function("Less::operator()(int, int)"), "Less::operator()");
  EXPECT_EQ(short_function("Number::operator<(Number const&) const"), "Number::operator<");
  EXPECT_EQ(short_function("std::ostream& operator<< <int>(std::ostream&, int)"), "operator<<");
  EXPECT_EQ(short_function("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(short_function("(int)"), "(int)");
  EXPECT_EQ(short_function("broken<((("), "broken");
}

TEST(ReportText, QuotesForTheShell) {
  EXPECT_EQ(shell_word("bank.1.trace"), "bank.1.trace");
  EXPECT_EQ(shell_word("my trace"), "'my trace'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace heddle::report
