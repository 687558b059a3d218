// The array from the kernel against std::vector.
#include "base/page_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"

namespace heddle::test {
namespace {

struct Wide {
  std::uint64_t words[5];  // does not divide a page
  bool operator==(const Wide&) const = default;
};

template <typename T>
T make(std::uint32_t value) {
  if constexpr (std::is_same_v<T, Wide>)
    return Wide{{value, value + 1, value + 2, value + 3, value + 4}};
  else
    return static_cast<T>(value);
}

template <typename T>
void compare_with_vector(std::uint64_t seed) {
  Random random(seed);
  PageVector<T> pages;
  std::vector<T> plain;
  for (int i = 0; i < 20'000; ++i) {
    const T value = make<T>(random.below(1000));
    const std::uint32_t at = random.below(static_cast<std::uint32_t>(plain.size()) + 1);
    switch (random.below(20)) {
      case 0:
        pages.insert(at, value);
        plain.insert(plain.begin() + at, value);
        break;
      case 1:
        if (at == plain.size()) break;
        pages.erase(at);
        plain.erase(plain.begin() + at);
        break;
      case 2:
        if (plain.empty()) break;
        pages.pop_back();
        plain.pop_back();
        break;
      case 3:
        if (random.below(50) != 0) break;
        pages.resize(at * 2);
        plain.resize(at * 2);
        break;
      case 4:
        if (random.below(200) != 0) break;
        pages.clear();
        plain.clear();
        break;
      case 5:
        if (plain.empty()) break;
        pages.push_back(pages[0]);  // an element of its own, that may move
        plain.push_back(T(plain[0]));
        break;
      default:
        pages.push_back(value);
        plain.push_back(value);
        break;
    }
    ASSERT_EQ(pages.size(), plain.size());
    ASSERT_EQ(pages.empty(), plain.empty());
    if (i % 100 == 0 || plain.size() < 10) {
      ASSERT_TRUE(std::equal(pages.begin(), pages.end(), plain.begin(), plain.end())) << i;
    }
  }
  EXPECT_TRUE(std::equal(pages.span().begin(), pages.span().end(), plain.begin(), plain.end()));
}

TEST(PageVector, DoesWhatAVectorDoes) {
  compare_with_vector<std::uint32_t>(1);
  compare_with_vector<std::uint8_t>(2);
  compare_with_vector<Wide>(3);
}

TEST(PageVector, KeepsItsMemoryWhenCleared) {
  PageVector<int> pages;
  for (int i = 0; i < 100'000; ++i) pages.push_back(i);
  const int* before = pages.data();
  pages.clear();
  EXPECT_TRUE(pages.empty());
  for (int i = 0; i < 100'000; ++i) pages.push_back(i);
  EXPECT_EQ(pages.data(), before);
}

TEST(PageVector, NewElementsAreFreshAfterResize) {
  PageVector<int> pages;
  for (int i = 0; i < 10; ++i) pages.push_back(7);
  pages.resize(2);
  pages.resize(10);
  for (std::size_t i = 2; i < 10; ++i) EXPECT_EQ(pages[i], 0);
}

}  // namespace
}  // namespace heddle::test
