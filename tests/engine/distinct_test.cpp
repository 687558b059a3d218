// The counter of distinct schedules against a set.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "engine/distinct.hpp"

namespace heddle::engine {
namespace {

TEST(DistinctCounter, IsExactWhileItSaysSo) {
  DistinctCounter counter;
  std::set<std::uint64_t> seen;
  Random random(1);
  while (seen.size() < 30'000) {
    const std::uint64_t hash = mix(random.below(40'000) + 1);
    EXPECT_EQ(counter.add(hash), seen.insert(hash).second);
    if (seen.size() % 1000 == 0) {
      EXPECT_TRUE(counter.is_exact());
      EXPECT_EQ(counter.count(), seen.size());
    }
  }
}

TEST(DistinctCounter, EstimatesBeyond) {
  for (const std::uint64_t count : {50'000ull, 1'000'000ull}) {
    DistinctCounter counter;
    for (std::uint64_t i = 1; i <= count; ++i) {
      counter.add(mix(i * kGolden));
      counter.add(mix(i * kGolden));
    }
    EXPECT_FALSE(counter.is_exact());
    // Standard error 1.04 / sqrt(2^14) = 0.8 %; five of them: wrong once in a million seeds, and the seed is fixed.
    EXPECT_NEAR(static_cast<double>(counter.count()), static_cast<double>(count), 0.041 * static_cast<double>(count));
  }
}

}  // namespace
}  // namespace heddle::engine
