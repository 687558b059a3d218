#include "oracle/compare.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "oracle/bounded.hpp"
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

/// Fairness is about threads that yield, sleep or time out: without them every schedule is fair.
bool can_pause(const Program& program) {
  return uses(program, {Op::yield, Op::sleep, Op::timed_lock, Op::timed_read, Op::timed_write, Op::timed_acquire,
                        Op::timed_wait, Op::futex_timed_wait, Op::timed_join});
}

/// By what the strategy was asked for: `ipb:bound=1`, or everything.
std::optional<Outcomes> possible_outcomes(const Program& program, const std::string& strategy, std::size_t states_max) {
  const std::size_t at = strategy.find(":bound=");
  if (at == std::string::npos || strategy.ends_with("none")) return all_outcomes(program, states_max);
  const Cost cost = strategy.starts_with("ipb") ? Cost::preemptions : Cost::delays;
  return outcomes_within(program, cost, static_cast<std::uint32_t>(std::stoul(strategy.substr(at + 7))), states_max);
}

}  // namespace

Comparison compare(const Program& program, const std::string& strategy, const Bounds& bounds, On executor) {
  const auto possible = possible_outcomes(program, strategy, bounds.states);
  if (!possible) return {Compared::too_large, "", 0};
  const Explored shown = explore(program, strategy, bounds.executions, executor);
  if (!shown.finished) return {Compared::too_large, "", shown.executions};
  const bool promises_all = shown.what.find("fair") == std::string::npos || !can_pause(program);
  const Outcomes missing = promises_all ? without(*possible, shown.outcomes) : Outcomes();
  Outcomes impossible = without(shown.outcomes, *possible);
  // A deadlock may be reported as soon as it is one for some threads, whatever the others could still do.
  const Outcome deadlock{End::deadlock, 0, 0, {}};
  if (impossible.contains(deadlock) && can_get_stuck(program, bounds.states)) impossible.erase(deadlock);
  // The programs do the same each time, and all of them end: a search that speaks of gaps has lost its way.
  const bool has_gaps = shown.what.find("except") != std::string::npos || shown.what.find("up to") != std::string::npos;
  if (missing.empty() && impossible.empty() && !has_gaps) return {Compared::same, "", shown.executions};
  Comparison different{impossible.empty() ? Compared::misses : Compared::shows_impossible, "", shown.executions};
  different.text = "  " + strategy + " says: " + shown.what + "\n" + list(program, "missing   ", missing) +
                   list(program, "impossible", impossible);
  if (!impossible.empty() && !shown.strange.empty()) different.text += "  verdict     " + shown.strange + "\n";
  return different;
}

}  // namespace heddle::oracle
