#include "engine/detectors/repetition.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace heddle::engine {
namespace {

constexpr OperationId kOne{1};
constexpr OperationId kTwo{2};

/// `lead` states that never come again, and then `length` that come again and again.
std::uint64_t state_at(std::uint64_t step, std::uint64_t lead, std::uint64_t length) {
  return step < lead ? step : lead + (step - lead) % length;
}

/// After how many states it is found; 0: not within a thousand.
template <typename Cheap>
std::uint64_t found_after(std::uint64_t lead, std::uint64_t length, const Cheap& cheap) {
  Repetition repetition;
  repetition.begin();
  for (std::uint64_t step = 0; step < 1000; ++step) {
    const std::uint64_t state = state_at(step, lead, length);
    repetition.stepped(kOne);
    repetition.was_enabled(kOne);
    if (!repetition.comes_again(cheap(state), [&] { return std::optional(state); })) continue;
    EXPECT_EQ(repetition.length() % length, 0u);
    EXPECT_TRUE(repetition.is_member(index(kOne)));
    return step + 1;
  }
  return 0;
}

TEST(Repetition, FindsEveryCycleAfterThreeTimesItsStates) {
  for (std::uint64_t lead = 0; lead < 60; lead += 7)
    for (std::uint64_t length = 1; length < 60; length += 5) {
      const std::uint64_t found = found_after(lead, length, [](std::uint64_t state) { return state; });
      EXPECT_GT(found, length) << lead;
      EXPECT_LE(found, 3 * (lead + length) + 2) << lead << " and " << length;
    }
}

TEST(Repetition, BelievesTheWholeStateAndNotTheCheapNumber) {
  EXPECT_EQ(found_after(0, 2000, [](std::uint64_t) { return 5; }), 0u);
  EXPECT_GT(found_after(3, 17, [](std::uint64_t) { return 5; }), 17u);
}

TEST(Repetition, IsNoneIfAnOperationThatCouldGoOnNeverDid) {
  Repetition repetition;
  repetition.begin();
  const auto same = [] { return std::optional<std::uint64_t>(7); };
  for (int step = 0; step < 100; ++step) {
    repetition.stepped(kOne);
    EXPECT_FALSE(repetition.comes_again(7, same));
    repetition.was_enabled(kOne);
    repetition.was_enabled(kTwo);
  }
  repetition.stepped(kTwo);
  EXPECT_TRUE(repetition.comes_again(7, same));
}

TEST(Repetition, IsNoneIfSomethingWasSeenInBetween) {
  Repetition repetition;
  repetition.begin();
  const auto same = [] { return std::optional<std::uint64_t>(7); };
  for (int step = 0; step < 100; ++step) {
    repetition.is_not_comparable();
    EXPECT_FALSE(repetition.comes_again(7, same));
  }
}

TEST(Repetition, IsNoneOfStatesThatCannotBeHad) {
  Repetition repetition;
  repetition.begin();
  for (int step = 0; step < 100; ++step)
    EXPECT_FALSE(repetition.comes_again(7, [] { return std::optional<std::uint64_t>(); }));
}

}  // namespace
}  // namespace heddle::engine
