// How much is likely left, against distributions of which it is known.
#include "engine/class_counter.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace heddle::engine {
namespace {

// Class i of 400 has a chance in proportion to 1/i: some are common, many are rare.
TEST(ClassCounter, CoversTheChanceOfANewClass) {
  constexpr std::size_t kClasses = 400;
  std::vector<double> up_to;
  double total = 0;
  for (std::size_t i = 1; i <= kClasses; ++i) up_to.push_back(total += 1.0 / static_cast<double>(i));
  constexpr int kTrials = 400;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Random random(combine(9, static_cast<std::uint64_t>(trial)));
    ClassCounter counter;
    std::vector<bool> seen(kClasses);
    for (int i = 0; i < 1'000; ++i) {
      const double at = random.unit() * total;
      std::size_t which = 0;
      while (which + 1 < kClasses && up_to[which] <= at) ++which;
      seen[which] = true;
      counter.add(which + 1);
    }
    double missing = 0;
    std::size_t classes = 0;
    for (std::size_t i = 0; i < kClasses; ++i) {
      classes += seen[i];
      if (!seen[i]) missing += 1.0 / static_cast<double>(i + 1) / total;
    }
    const Novelty novelty = counter.novelty();
    EXPECT_EQ(novelty.classes, classes);
    covered += novelty.low <= missing && missing <= novelty.high;
  }
  EXPECT_GE(covered, kTrials * 93 / 100);  // of 95: fewer would have a chance below one in a hundred
}

TEST(ClassCounter, SaysThreeOverNWhenNothingIsRare) {
  ClassCounter counter;
  for (std::uint64_t i = 0; i < 300; ++i) counter.add(1 + i % 3);
  EXPECT_EQ(counter.novelty().classes, 3u);
  EXPECT_EQ(counter.novelty().chance, 0);
  EXPECT_DOUBLE_EQ(counter.novelty().high, 3.0 / 300);
}

TEST(ClassCounter, ScalesWhatItKeeps) {
  ClassCounter counter;
  constexpr std::uint64_t kClasses = 2'000'000;
  for (std::uint64_t i = 1; i <= kClasses; ++i) counter.add(i);
  for (std::uint64_t i = 1; i <= kClasses / 2; ++i) counter.add(i);
  const Novelty novelty = counter.novelty();
  EXPECT_FALSE(novelty.is_exact);
  EXPECT_NEAR(static_cast<double>(novelty.classes), kClasses, kClasses * 0.02);
  EXPECT_NEAR(novelty.chance, 1.0 / 3, 0.01);  // a million of three were seen once
}

}  // namespace
}  // namespace heddle::engine
