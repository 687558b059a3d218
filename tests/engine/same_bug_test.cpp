// Which failures are one bug, for those who go on after the first.
#include <gtest/gtest.h>

#include "engine/explorer.hpp"

namespace heddle::engine {
namespace {

/// A race between accesses at two places of one module.
Failure race_of(std::uint64_t later, std::uint64_t earlier) {
  Failure failure;
  failure.verdict.kind = VerdictKind::race;
  failure.verdict.operation = OperationId{1};
  for (const std::uint64_t offset : {later, earlier}) {
    Place place;
    place.module = "program";
    place.offset = offset;
    failure.trace.accesses.push_back(
        {.what = AccessKind::write, .stack = {static_cast<std::uint32_t>(failure.trace.places.size())}, .locks = {}});
    failure.trace.places.push_back(place);
  }
  return failure;
}

TEST(SameBug, ARaceAndItsMirrorImageAreOne) {
  EXPECT_TRUE(same_bug(race_of(10, 20), race_of(10, 20)));
  EXPECT_TRUE(same_bug(race_of(10, 20), race_of(20, 10)));
  EXPECT_TRUE(same_bug(race_of(10, 10), race_of(10, 10)));
}

TEST(SameBug, RacesOfOtherPlacesAreOthers) {
  EXPECT_FALSE(same_bug(race_of(10, 20), race_of(10, 30)));
  EXPECT_FALSE(same_bug(race_of(10, 20), race_of(10, 10)));
  EXPECT_FALSE(same_bug(race_of(10, 10), race_of(10, 20)));
  EXPECT_FALSE(same_bug(race_of(10, 20), race_of(30, 20)));
}

TEST(SameBug, ARaceWithoutPlacesIsLikeNoOther) {
  Failure unknown = race_of(10, 20);
  unknown.trace.accesses.clear();
  EXPECT_FALSE(same_bug(unknown, race_of(10, 20)));
}

}  // namespace
}  // namespace heddle::engine
