#include "base/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace heddle {
namespace {

TEST(Printable, LeavesReadableTextAlone) {
  for (const char* text : {"", "transfer(int, int) \"x\" 線程", "é ñ ж א ع", "→ │ ✗ ╳ 🧵", "back\\slash"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatActsOnATerminal) {
  EXPECT_EQ(printable("\x1b]0;title\a"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // C1: the one-character form of ESC [
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\nb\\x09c\\x0dd\\x7f");
}

TEST(Printable, ShowsWhatHidesOrReverses) {
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");
  for (const char* hidden :
       {"\u00ad", "\u061c", "\u200b", "\u200f", "\u2028", "\u2066", "\u2069", "\ufeff", "\uffff", "\U000e0041"})
    EXPECT_EQ(printable(hidden).find("\\x"), 0u) << hidden;
}

TEST(Printable, ShowsBytesThatAreNoCharacters) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                             // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // a longer form of `/`
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last
  EXPECT_EQ(printable("\xe2\x28\xa1"), "\\xe2(\\xa1");
}

TEST(Printable, KeepsLinesWhereTheyAreWanted) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b[1m\r\n"), "a\n\tb\\x1b[1m\\x0d\n");
}

/// Every sequence of two bytes, and every character, comes out as ASCII or as characters that may be shown; and stays.
TEST(Printable, HasNothingLeftToDo) {
  for (unsigned first = 0; first < 256; ++first)
    for (unsigned second = 0; second < 256; ++second) {
      const std::string once = printable(std::string{static_cast<char>(first), static_cast<char>(second)});
      ASSERT_EQ(printable(once), once);
      for (const char c : once) ASSERT_TRUE((c >= 0x20 && c < 0x7f) || (c & 0x80) != 0);
    }
}

}  // namespace
}  // namespace heddle
