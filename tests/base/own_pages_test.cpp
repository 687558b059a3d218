#include "base/own_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "base/page_vector.hpp"

namespace heddle {
namespace {

const void* address(std::uintptr_t number) { return reinterpret_cast<const void*>(number); }

TEST(OwnPages, AreFoundFromEitherSide) {
  const auto pages = std::make_unique<OwnPages>();
  pages->add(address(0x5000), 0x2000);
  pages->add(address(0x7000), 0x1000);  // just behind the other
  EXPECT_EQ(pages->end_of_own(0x4000), 0x4000u);
  EXPECT_EQ(pages->end_of_own(0x5000), 0x8000u);
  EXPECT_EQ(pages->end_of_own(0x7fff), 0x8000u);
  EXPECT_EQ(pages->end_of_own(0x8000), 0x8000u);
  EXPECT_EQ(pages->next_own(0x1000, 0x9000), 0x5000u);
  EXPECT_EQ(pages->next_own(0x1000, 0x3000), 0x3000u);
}

TEST(OwnPages, ThatAreGivenBackInTheMiddleLeaveBothSides) {
  const auto pages = std::make_unique<OwnPages>();
  pages->add(address(0x10000), 0x8000);
  pages->remove(address(0x12000), 0x1000);
  EXPECT_EQ(pages->end_of_own(0x10000), 0x12000u);
  EXPECT_EQ(pages->end_of_own(0x12000), 0x12000u);
  EXPECT_EQ(pages->end_of_own(0x13000), 0x18000u);
  pages->remove(address(0x10000), 0x2000);
  pages->remove(address(0x13000), 0x5000);
  EXPECT_EQ(pages->next_own(0x1000, 0x20000), 0x20000u);
}

TEST(OwnPages, SayWhenTheyHaveNoRoom) {
  const auto pages = std::make_unique<OwnPages>();
  for (std::uintptr_t i = 1; i <= 4096; ++i) pages->add(address(i * 0x10000), 0x1000);
  EXPECT_FALSE(pages->is_incomplete());
  pages->add(address(0x1000), 0x1000);
  EXPECT_TRUE(pages->is_incomplete());
}

TEST(OwnPages, KnowWhereAnArrayIsAfterItHasGrown) {
  PageVector<std::uint64_t> array;
  for (std::uint64_t i = 0; i < 100'000; ++i) array.push_back(i);
  const auto first = reinterpret_cast<std::uintptr_t>(array.data());
  EXPECT_GE(own_pages.end_of_own(first), reinterpret_cast<std::uintptr_t>(array.end()));
}

}  // namespace
}  // namespace heddle
