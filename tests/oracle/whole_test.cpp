// Generated programs as processes of their own: `heddle run` finds every way in which they can end, and no other.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "oracle/generate.hpp"
#include "oracle/naive.hpp"
#include "oracle/run_command.hpp"
#include "oracle/shrink.hpp"

namespace heddle::oracle {
namespace {

constexpr std::size_t kStatesMax = 400;

std::string ending(const Outcome& outcome) {
  if (outcome.end == End::exited) return "exit " + std::to_string(outcome.detail);
  if (outcome.end == End::aborted) return "aborted";
  return outcome.end == End::deadlock ? "deadlock" : "assertion";
}

/// Those that POSIX has no name for, by the name that it has.
std::string plain_name(const std::string& verdict) {
  const bool is_deadlock = verdict == "lost-wakeup" || verdict == "leaked-thread" || verdict == "misuse";
  return is_deadlock ? "deadlock" : verdict;
}

/// Nothing if the program is too large to tell.
std::optional<std::string> difference(const Program& program) {
  const auto possible = all_outcomes(program, kStatesMax);
  if (!possible) return std::nullopt;
  const CommandFindings shown =
      run_command({"--strategy", "dfs", "--executions", "500"}, {HEDDLE_ORACLE_WHOLE, to_text(program)});
  if (!shown.complete) return std::nullopt;
  std::set<std::string> can, does;
  for (const Outcome& outcome : *possible) can.insert(ending(outcome));
  for (const std::string& verdict : shown.endings) does.insert(plain_name(verdict));
  std::string text;
  for (const std::string& one : can)
    if (!does.contains(one)) text += "  missing     " + one + "\n";
  for (const std::string& one : does)
    if (!can.contains(one) && !(one == "deadlock" && can_get_stuck(program, kStatesMax)))
      text += "  impossible  " + one + "\n";
  return text;
}

class Whole : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Of, Whole,
                         testing::Values(Theme::endings, Theme::lives, Theme::semaphores, Theme::conditions,
                                         Theme::cancel),
                         [](const auto& one) { return std::string(name(one.param)); });

TEST_P(Whole, ProgramsEndInEveryWayTheyCan) {
  const auto differs = [](const Program& program) { return !difference(program).value_or("").empty(); };
  int wanted = 6;
  for (std::uint64_t seed = 0; wanted > 0; ++seed) {
    ASSERT_LT(seed, 1'000u);
    const Program program = generate_whole(GetParam(), seed);
    const std::optional<std::string> found = difference(program);
    if (!found) continue;
    --wanted;
    if (found->empty()) continue;
    const Program small = shrink(program, differs);
    FAIL() << to_text(small) << difference(small).value_or("");
  }
}

}  // namespace
}  // namespace heddle::oracle
