#include "trace/text.hpp"

#include <gtest/gtest.h>

#include "trace/generated.hpp"

namespace heddle {
namespace {

TEST(TraceText, LeavesReadableTextAlone) {
  EXPECT_EQ(escaped("transfer(int, int) \"x\" 線程"), "transfer(int, int) \"x\" 線程");
  EXPECT_EQ(escaped(" a\nb\t "), "\\x20a\\nb\\x09\\x20");
  EXPECT_EQ(escaped_word("my file.cpp"), "my\\x20file.cpp");
}

TEST(TraceText, ComesBackAsItWas) {
  testing::TraceGenerator generator(1);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = generator.text();
    EXPECT_EQ(unescaped(escaped(text)), text);
    EXPECT_EQ(unescaped(escaped_word(text)), text);
  }
}

TEST(TraceText, RefusesBrokenEscapes) {
  for (const char* broken : {"\\", "a\\q", "\\x", "\\x2", "\\x2g", "\\xF0"}) EXPECT_FALSE(unescaped(broken)) << broken;
}

}  // namespace
}  // namespace heddle
