#include "strategy/support/alternatives.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/fake_view.hpp"

namespace heddle::test {
namespace {

using strategy::Alternatives;

std::vector<std::uint32_t> order(const FakeView& view) {
  const Alternatives alternatives(view);
  std::vector<std::uint32_t> all;
  for (std::uint32_t j = 0; j < alternatives.size(); ++j) all.push_back(index(alternatives.at(j)));
  return all;
}

TEST(Alternatives, GoRoundFromTheCurrentOperation) {
  using Order = std::vector<std::uint32_t>;
  EXPECT_EQ(order(FakeView({1, 3, 5}, 3)), (Order{3, 5, 1}));
  EXPECT_EQ(order(FakeView({1, 3, 5}, 4)), (Order{5, 1, 3}));
  EXPECT_EQ(order(FakeView({1, 3, 5}, 6)), (Order{1, 3, 5}));
  EXPECT_EQ(order(FakeView({1, 3, 5}, index(kNoOperation))), (Order{1, 3, 5}));
}

TEST(Alternatives, PutOneThatYieldsLast) {
  using Order = std::vector<std::uint32_t>;
  EXPECT_EQ(order(FakeView({1, 3, 5}, 3, true)), (Order{5, 1, 3}));
  EXPECT_EQ(order(FakeView({1, 3, 5}, 5, true)), (Order{1, 3, 5}));
}

TEST(Alternatives, PreemptOnlyOneThatCouldGoOn) {
  EXPECT_TRUE(Alternatives(FakeView({1, 3, 5}, 3)).leaving_preempts());
  EXPECT_FALSE(Alternatives(FakeView({1, 3, 5}, 3, true)).leaving_preempts());
  EXPECT_FALSE(Alternatives(FakeView({1, 3, 5}, 4)).leaving_preempts());
  EXPECT_FALSE(Alternatives(FakeView({1, 3, 5}, index(kNoOperation))).leaving_preempts());
}

TEST(Alternatives, DifferentPointsHaveDifferentShapes) {
  // All sets of two or more of eight operations, from every start: about a thousand points, so that two of them would
  // be alike by chance once in eight thousand times.
  std::map<std::uint32_t, std::vector<std::uint32_t>> seen;
  for (std::uint32_t set = 0; set < 256; ++set) {
    std::vector<std::uint32_t> enabled;
    for (std::uint32_t id = 0; id < 8; ++id)
      if ((set >> id & 1) != 0) enabled.push_back(id);
    if (enabled.size() < 2) continue;
    for (std::uint32_t current : enabled) {
      const FakeView view(enabled, current);
      const auto [at, fresh] = seen.emplace(Alternatives(view).shape(), order(view));
      EXPECT_TRUE(fresh) << set << " from " << current;
    }
  }
  for (std::uint32_t bound = 2; bound < 1000; ++bound)
    EXPECT_EQ(seen.count(Alternatives::shape_of_values(bound)), 0u) << bound;
}

}  // namespace
}  // namespace heddle::test
