// What heddle takes for independent commutes, in generated programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "oracle/child.hpp"
#include "oracle/commute.hpp"
#include "oracle/generate.hpp"
#include "oracle/shrink.hpp"

namespace heddle::oracle {
namespace {

constexpr std::uint64_t kExecutionsMax = 40;  // of each program; neighbours are many in each

/// Empty: every swap led to the same outcome.
std::string difference(const Program& program) {
  const Answer answer =
      in_child(20, [&](const Say& say) { say(commute(program, kExecutionsMax, independent_by_footprints).finding); });
  return answer.died ? "  died:" + answer.text : answer.text;
}

class Commutation : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Commutation, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

TEST_P(Commutation, OfIndependentSteps) {
  const auto theme = static_cast<Theme>(GetParam());
  constexpr std::uint64_t kPrograms = 30;
  // All of them in one process, which says how many swaps it has tried, or which program differs.
  const Answer answer = in_child(300, [&](const Say& say) {
    std::uint64_t swaps = 0;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Commuted commuted = commute(generate(theme, seed), kExecutionsMax, independent_by_footprints);
      swaps += commuted.swaps;
      if (!commuted.finding.empty()) return say("seed " + std::to_string(seed));
    }
    say("swaps " + std::to_string(swaps));
  });
  ASSERT_FALSE(answer.died) << answer.text;
  if (answer.text.starts_with("seed ")) {
    const Program program = generate(theme, std::strtoull(answer.text.c_str() + 5, nullptr, 10));
    const Program small = shrink(program, [](const Program& one) { return !difference(one).empty(); });
    FAIL() << to_text(small) << difference(small);
  }
  EXPECT_GT(std::strtoull(answer.text.c_str() + 6, nullptr, 10), kPrograms);
}

}  // namespace
}  // namespace heddle::oracle
