#include "base/random.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/statistics.hpp"

namespace heddle::test {
namespace {

TEST(Random, SameSeedSameNumbers) {
  Random a(42), b(42), c(43);
  bool all_equal = true;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    all_equal = all_equal && value == c.next();
  }
  EXPECT_FALSE(all_equal);
}

TEST(Random, IsTheSameOnEveryMachine) {
  // xoshiro256** with the state that splitmix64 makes of 0; the reference implementations give these.
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452au);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0u);
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  for (std::uint32_t bound : {2u, 3u, 5u, 6u, 7u, 10u, 100u, 1000u}) {
    std::vector<std::uint64_t> counts(bound);
    for (int i = 0; i < 200'000; ++i) ++counts[random.below(bound)];
    EXPECT_GT(chance_if_uniform(counts), kSurprise) << bound;
  }
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, BelowIsUnbiasedForBoundsThatDoNotDivideTheRange) {
  // With 3 * 2^30 a plain multiplication or remainder would give one third of the values twice as often: 1/2, 1/4, 1/4
  // of the draws in each third, or every third value with 1/2.
  constexpr std::uint32_t kBound = 3u << 30;
  Random random(2);
  std::vector<std::uint64_t> thirds(3), remainders(3);
  for (int i = 0; i < 300'000; ++i) {
    const std::uint32_t value = random.below(kBound);
    ASSERT_LT(value, kBound);
    ++thirds[value >> 30];
    ++remainders[value % 3];
  }
  EXPECT_GT(chance_if_uniform(thirds), kSurprise);
  EXPECT_GT(chance_if_uniform(remainders), kSurprise);
}

TEST(Random, UnitIsUniformAndBelowOne) {
  Random random(3);
  std::vector<std::uint64_t> counts(20);
  for (int i = 0; i < 200'000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    ++counts[static_cast<std::size_t>(value * 20)];
  }
  EXPECT_GT(chance_if_uniform(counts), kSurprise);
}

TEST(Random, NeighbouringSeedsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) firsts.insert(Random(seed).next());
  EXPECT_EQ(firsts.size(), 10'000u);  // two equal ones have a chance of 10^8 / 2^65
}

}  // namespace
}  // namespace heddle::test
