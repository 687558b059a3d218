#include "oracle/commute.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::oracle {
namespace {

std::string to_text(const Step& step) {
  std::string text = "T" + std::to_string(index(step.operation)) + " " + std::string(name(step.event.kind));
  if (step.event.resource != kNoResource) text += " of resource " + std::to_string(index(step.event.resource));
  return text;
}

/// At the first choice after so many steps; empty: there was none.
const std::string& state_after(const Recorded& recorded, std::size_t count) {
  static const std::string none;
  for (std::size_t i = count; i < recorded.steps.size(); ++i)
    if (!recorded.steps[i].before.empty()) return recorded.steps[i].before;
  return none;
}

std::string explain(const Program& program, const Recorded& recorded, std::size_t at, const FollowedTo& swapped) {
  std::string text = "  said to be independent: " + to_text(recorded.steps[at]) + ", " +
                     to_text(recorded.steps[at + 1]) + "\n  in this order  " + to_text(program, recorded.outcome) +
                     "\n  swapped        ";
  text += swapped.how == Followed::blocked ? "an operation cannot take its step" : to_text(program, swapped.outcome);
  text += "\n  state after both, in this order:\n" + state_after(recorded, at + 2) + "  swapped:\n" + swapped.state;
  text += "  steps         ";
  for (const Step& step : recorded.steps) text += " " + to_text(step) + ";";
  return text + "\n";
}

}  // namespace

bool independent_by_footprints(const Step& first, const Step& second) {
  return !dependent(first.footprint, second.footprint);
}

Commuted commute(const Program& program, std::uint64_t executions_max, const Independent& independent) {
  std::vector<Recorded> all;
  explore(program, "dfs", executions_max, On::carrier, [&](const Recorded& one) { all.push_back(one); });
  Commuted commuted;
  for (const Recorded& recorded : all) {
    for (std::size_t at = 0; at + 1 < recorded.steps.size(); ++at) {
      const Step &first = recorded.steps[at], &second = recorded.steps[at + 1];
      if (first.operation == second.operation || !second.was_enabled || !independent(first, second)) continue;
      Recorded other = recorded;
      std::swap(other.steps[at], other.steps[at + 1]);
      const FollowedTo swapped = follow(program, other, at + 2);
      if (swapped.how == Followed::unfair) continue;
      ++commuted.swaps;
      const bool is_same_state = swapped.state == state_after(recorded, at + 2);
      if (swapped.how == Followed::to_the_end && is_same_state && swapped.outcome == recorded.outcome) continue;
      commuted.finding = explain(program, recorded, at, swapped);
      return commuted;
    }
  }
  return commuted;
}

}  // namespace heddle::oracle
