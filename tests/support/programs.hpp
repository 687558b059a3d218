// Small programs that several tests use.
#pragma once

#include "support/program.hpp"

namespace heddle::test {

/// Main creates `operations` operations of `steps` independent steps each, in one step, and ends.
inline Program independent(std::uint32_t operations, std::uint32_t steps) {
  Program program;
  program.operations.push_back({create(1, operations)});
  for (std::uint32_t i = 0; i < operations; ++i) program.operations.emplace_back(steps, step());
  return program;
}

/// Figure 1 of the SCTBench study. The assertion fails if T3 comes between the two writes of T1.
inline Program figure_1() {
  enum { x, y, z };
  return {.operations = {{create(1, 3)}, {write(x, 1), write(y, 1)}, {write(z, 1)}, {check(0)}},
          .checks = {[](const Memory& m) { return m[x] == m[y]; }}};
}

/// Figure 2, with `extra` more operations like T1 between it and the one that asserts; the figure has one.
inline Program figure_2(std::uint32_t extra = 1) {
  enum { x, y };
  Program program{.operations = {{create(1, extra + 2)}}, .checks = {[](const Memory& m) { return m[x] == m[y]; }}};
  for (std::uint32_t i = 0; i <= extra; ++i) program.operations.push_back({write(x, 1), write(y, 1)});
  program.operations.push_back({check(0)});
  return program;
}

}  // namespace heddle::test
