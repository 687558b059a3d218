#include "oracle/compare.hpp"

#include <algorithm>
#include <iterator>

#include "oracle/naive.hpp"

namespace heddle::oracle {
namespace {

Outcomes without(const Outcomes& all, const Outcomes& some) {
  Outcomes rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(rest, rest.end()));
  return rest;
}

std::string list(const Program& program, const char* title, const Outcomes& outcomes) {
  constexpr std::size_t kListed = 5;
  std::string text;
  std::size_t listed = 0;
  for (const Outcome& outcome : outcomes)
    if (listed++ < kListed) text += std::string("  ") + title + "  " + to_text(program, outcome) + "\n";
  if (listed > kListed) text += std::string("  ") + title + "  and " + std::to_string(listed - kListed) + " more\n";
  return text;
}

}  // namespace

Comparison compare(const Program& program, const std::string& strategy, const Bounds& bounds, On executor) {
  const auto possible = all_outcomes(program, bounds.states);
  if (!possible) return {Compared::too_large, "", 0};
  const Explored shown = explore(program, strategy, bounds.executions, executor);
  if (!shown.finished) return {Compared::too_large, "", shown.executions};
  const bool promises_all = shown.what.find("fair") == std::string::npos;
  const Outcomes missing = promises_all ? without(*possible, shown.outcomes) : Outcomes();
  Outcomes impossible = without(shown.outcomes, *possible);
  // A deadlock may be reported as soon as it is one for some threads, whatever the others could still do.
  const Outcome deadlock{End::deadlock, 0, 0, {}};
  if (impossible.contains(deadlock) && can_get_stuck(program, bounds.states)) impossible.erase(deadlock);
  if (missing.empty() && impossible.empty()) return {Compared::same, "", shown.executions};
  Comparison different{impossible.empty() ? Compared::misses : Compared::shows_impossible, "", shown.executions};
  different.text = "  " + strategy + " says: " + shown.what + "\n" + list(program, "missing   ", missing) +
                   list(program, "impossible", impossible);
  if (!impossible.empty() && !shown.strange.empty()) different.text += "  verdict     " + shown.strange + "\n";
  return different;
}

}  // namespace heddle::oracle
