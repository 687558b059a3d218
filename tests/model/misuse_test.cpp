// The table of misuses.
#include "model/misuse.hpp"

#include <gtest/gtest.h>

#include <set>

namespace heddle::test {
namespace {

using model::Misuse;
using model::MisuseSet;

constexpr auto kCount = static_cast<unsigned>(Misuse::kCount);

TEST(Misuse, NamesAreDistinctAndRoundTrip) {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < kCount; ++i) {
    const auto misuse = static_cast<Misuse>(i);
    EXPECT_TRUE(names.insert(name(misuse)).second) << name(misuse);
    EXPECT_EQ(model::misuse_named(name(misuse)), misuse);
    EXPECT_EQ(name(misuse).find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
  }
  EXPECT_EQ(model::misuse_named(""), Misuse::kCount);
  EXPECT_EQ(model::misuse_named("unlock"), Misuse::kCount);
}

TEST(Misuse, NamesStay) {  // they are in files and in scripts
  EXPECT_EQ(name(Misuse::unlock_not_owner), "unlock-not-owner");
  EXPECT_EQ(name(Misuse::wait_without_mutex), "wait-without-mutex");
  EXPECT_EQ(name(Misuse::semaphore_overflow), "semaphore-overflow");
}

TEST(MisuseSet, HasWhatWasAdded) {
  for (unsigned added = 0; added < kCount; ++added) {
    MisuseSet set;
    set.add(static_cast<Misuse>(added));
    for (unsigned i = 0; i < kCount; ++i) EXPECT_EQ(set.has(static_cast<Misuse>(i)), i == added);
  }
}

}  // namespace
}  // namespace heddle::test
