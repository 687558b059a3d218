// Published protocols: the seeded bug of each is found, and nothing in the correct versions.
#include <gtest/gtest.h>

#include "table.hpp"

namespace heddle::test {
namespace {

class Protocols : public testing::TestWithParam<Protocol> {};

TEST_P(Protocols, the_bug_is_found) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Result result = explore(GetParam(), GetParam().buggy, 10'000, seed);
    EXPECT_EQ(result.verdict, "specification") << "seed " << seed << ": " << result.report;
    EXPECT_EQ(result.message, GetParam().message);
    EXPECT_TRUE(result.reproduced);
  }
}

TEST_P(Protocols, the_correct_version_passes) {
  const Result result = explore(GetParam(), GetParam().correct, 500, 1);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.executions, 500u);
}

INSTANTIATE_TEST_SUITE_P(, Protocols, testing::ValuesIn(protocols()), [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace heddle::test
