// Every schedule of a program, by brute force: recursion over copies of the naive model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/settings.hpp"
#include "support/interpreter.hpp"
#include "support/program.hpp"
#include "trace/verdict.hpp"

namespace heddle::test {

struct Terminal {
  Schedule schedule;
  std::uint32_t preemptions;
  std::uint32_t delays;
  VerdictKind verdict;
  Memory memory;
  bool left_out_unfair;  // on its way an operation that could go on had to wait behind others
};

/// Nothing if there are more than `limit`.
std::optional<std::vector<Terminal>> enumerate(const Program& program, std::size_t limit,
                                               engine::Settings settings = {});

}  // namespace heddle::test
