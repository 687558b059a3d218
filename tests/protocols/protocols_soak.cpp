// The protocols at length: each bug in 20 explorations, and 100,000 executions of each correct version.
#include <gtest/gtest.h>

#include "table.hpp"

namespace heddle::test {
namespace {

class ProtocolsAtLength : public testing::TestWithParam<Protocol> {};

TEST_P(ProtocolsAtLength, the_bug_is_found) {
  constexpr std::uint64_t kTrials = 20;
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed)
    found += explore(GetParam(), GetParam().buggy, 10'000, seed).message == GetParam().message;
  EXPECT_EQ(found, kTrials);
}

TEST_P(ProtocolsAtLength, the_correct_version_passes) {
  const Result result = explore(GetParam(), GetParam().correct, 100'000, 1);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(result.executions, 100'000u);
}

INSTANTIATE_TEST_SUITE_P(, ProtocolsAtLength, testing::ValuesIn(protocols()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace heddle::test
