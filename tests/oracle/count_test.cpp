// A search without reduction runs every interleaving once: as many as the naive interpreter counts.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "oracle/child.hpp"
#include "oracle/explored.hpp"
#include "oracle/generate.hpp"
#include "oracle/naive.hpp"

namespace heddle::oracle {
namespace {

/// Of these calls some are no steps to heddle, because no other thread can tell when they happen, and are steps to the
/// interpreter. What they lead to is compared elsewhere (oracle_test.cpp).
bool has_steps_of_its_own(const Program& program) {
  return uses(program, {Op::consistent, Op::once, Op::detach, Op::leave, Op::cancel, Op::test_cancel});
}

class Count : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Of, Count,
                         testing::Values(Theme::memory, Theme::mutexes, Theme::robust, Theme::spins, Theme::locks,
                                         Theme::semaphores, Theme::conditions, Theme::barriers, Theme::futexes,
                                         Theme::lives, Theme::time, Theme::clocks, Theme::endings, Theme::all),
                         [](const auto& one) { return std::string(name(one.param)); });

TEST_P(Count, OfExecutionsIsThatOfInterleavings) {
  constexpr std::uint64_t kPrograms = 400;
  constexpr std::size_t kStates = 20'000;
  constexpr std::uint64_t kInterleavings = 2'000;
  const Answer answer = in_child(300, [&](const Say& say) {
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Program program = generate(GetParam(), seed);
      // A deadlock of some threads ends an execution, whatever the others could still do.
      if (has_steps_of_its_own(program) || can_get_stuck(program, kStates)) continue;
      const auto ways = interleavings(program, kStates);
      if (!ways || *ways > kInterleavings) continue;
      const Explored shown = explore(program, "dfs", *ways + 1);
      if (shown.what.find("fair") != std::string::npos) continue;
      ++compared;
      if (shown.finished && shown.executions == *ways) continue;
      return say("seed " + std::to_string(seed) + ": " + std::to_string(shown.executions) + " executions, " +
                 std::to_string(*ways) + " interleavings of\n" + to_text(program));
    }
    say("compared " + std::to_string(compared));
  });
  ASSERT_FALSE(answer.died) << answer.text;
  ASSERT_TRUE(answer.text.starts_with("compared ")) << answer.text;
  EXPECT_GT(std::strtoull(answer.text.c_str() + 9, nullptr, 10), 10u);
}

}  // namespace
}  // namespace heddle::oracle
