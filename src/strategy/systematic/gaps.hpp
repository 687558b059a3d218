// What a systematic search could not see, so that it never claims more than it has explored.
#pragma once

#include <cstdint>
#include <string>

#include "strategy/strategy.hpp"
#include "trace/verdict.hpp"

namespace heddle::strategy {

struct Gaps {
  std::uint64_t branches_cut = 0;       // the program did not behave the same again
  std::uint64_t executions_cut = 0;     // at the step bound
  std::uint64_t alternatives_lost = 0;  // for lack of memory
  bool only_fair = false;               // an operation that kept pausing had to wait for others

  void count(const ExecutionSummary& summary) {
    const VerdictKind kind = summary.verdict.kind;
    executions_cut += kind == VerdictKind::cut || kind == VerdictKind::livelock;
    only_fair |= summary.left_out_unfair;
  }

  std::string schedules() const { return only_fair ? "every fair schedule" : "every schedule"; }

  /// Text to append to `schedules`; empty if there is no gap.
  std::string text() const {
    std::string text;
    if (branches_cut > 0)
      text += ", except below " + number(branches_cut, "point") + " where the program did not do the same twice";
    if (executions_cut > 0) text += ", " + number(executions_cut, "execution") + " only up to the step bound";
    if (alternatives_lost > 0)
      text += ", without " + number(alternatives_lost, "alternative") + " that did not fit into memory";
    return text;
  }

  static std::string number(std::uint64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  }
};

}  // namespace heddle::strategy
