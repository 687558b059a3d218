// What a systematic search could not see, so that it never claims more than it has explored.
#pragma once

#include <cstdint>
#include <string>

#include "trace/verdict.hpp"

namespace heddle::strategy {

struct Gaps {
  std::uint64_t branches_cut = 0;       // the program did not do the same again
  std::uint64_t executions_cut = 0;     // at the step bound
  std::uint64_t alternatives_lost = 0;  // no memory for them

  void count(const Verdict& verdict) {
    executions_cut += verdict.kind == VerdictKind::cut || verdict.kind == VerdictKind::livelock;
  }

  /// To be put after "every schedule …": empty if there is no gap.
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
