// Order classes, in generated programs: two executions of one class have one outcome, and there are no more classes
// than the naive interpreter counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "oracle/child.hpp"
#include "oracle/classes.hpp"
#include "oracle/explored.hpp"
#include "oracle/generate.hpp"
#include "oracle/naive.hpp"

namespace heddle::oracle {
namespace {

class Classes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Of, Classes, testing::Range(0, static_cast<int>(Theme::kCount)),
                         [](const auto& one) { return std::string(name(static_cast<Theme>(one.param))); });

TEST_P(Classes, HaveOneOutcomeEach) {
  const auto theme = static_cast<Theme>(GetParam());
  constexpr std::uint64_t kPrograms = 60;
  constexpr std::uint64_t kExecutionsMax = 2'000;
  const Answer answer = in_child(300, [&](const Say& say) {
    std::size_t again = 0;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Program program = generate(theme, seed);
      std::map<std::uint64_t, Outcome> outcomes;
      std::string found;
      explore(program, "dfs", kExecutionsMax, On::carrier, [&](const Recorded& recorded) {
        const auto [known, is_new] = outcomes.emplace(recorded.order_class, recorded.outcome);
        again += !is_new;
        if (known->second != recorded.outcome && found.empty())
          found = to_text(program) + "  one class:\n  " + to_text(program, known->second) + "\n  " +
                  to_text(program, recorded.outcome) + "\n";
      });
      if (!found.empty()) return say(found);
    }
    if (again < kPrograms) say("only " + std::to_string(again) + " executions are of a class that was known");
  });
  ASSERT_FALSE(answer.died) << answer.text;
  EXPECT_EQ(answer.text, "");
}

/// Those that always come to their end, with the last step of main: where one does not, heddle may see sooner that it
/// will not, and of an execution's last step it does not see what it touches.
bool always_ends(const Program& program) {
  const auto& main = program.threads.front();
  const auto calls = [&](Op op) {
    return std::count_if(main.begin(), main.end(), [op](const Instruction& call) { return call.op == op; });
  };
  const auto others = static_cast<std::ptrdiff_t>(program.threads.size()) - 1;
  if (calls(Op::create) != others || calls(Op::join) != others || calls(Op::skip_if) != 0) return false;
  const std::optional<Outcomes> outcomes = all_outcomes(program, 20'000);
  return outcomes &&
         std::all_of(outcomes->begin(), outcomes->end(), [](const Outcome& outcome) { return outcome.end == End::ok; });
}

TEST_P(Classes, AreAsManyAsTheNaiveInterpreterCounts) {
  const auto theme = static_cast<Theme>(GetParam());
  constexpr std::uint64_t kPrograms = 150;
  constexpr std::uint64_t kExecutionsMax = 3'000;
  const Answer answer = in_child(300, [&](const Say& say) {
    int with_several = 0;
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Program program = only_plain_calls(generate(theme, seed));
      if (!always_ends(program)) continue;
      const std::optional<std::size_t> naive = count_classes(program, 10 * kExecutionsMax);
      std::set<std::uint64_t> classes;
      const auto note = [&](const Recorded& recorded) { classes.insert(recorded.order_class); };
      if (!naive || !explore(program, "dfs", kExecutionsMax, On::carrier, note, Ends::are_not).finished) continue;
      with_several += *naive > 1;
      if (classes.size() != *naive)
        return say(to_text(program) + "  classes " + std::to_string(classes.size()) + ", naive " +
                   std::to_string(*naive) + "\n");
    }
    if (with_several < 5) say("only " + std::to_string(with_several) + " programs have several classes");
  });
  ASSERT_FALSE(answer.died) << answer.text;
  EXPECT_EQ(answer.text, "");
}

}  // namespace
}  // namespace heddle::oracle
