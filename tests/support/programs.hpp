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

/// The "reorder" programs of SCTBench: each setter writes x and then y, each checker looks at both. It fails if a
/// setter is stopped between its writes while no other has finished. There, a checker reads twice; here it looks once.
/// The first step of each stands for its start.
inline Program reorder(std::uint32_t setters, std::uint32_t checkers = 1) {
  enum { x, y };
  Program program{.operations = {{create(1, setters), create(1 + setters, checkers)}},
                  .checks = {[](const Memory& m) { return m[x] == m[y]; }}};
  for (std::uint32_t i = 0; i < setters; ++i) program.operations.push_back({step(), write(x, 1), write(y, 1)});
  for (std::uint32_t i = 0; i < checkers; ++i) program.operations.push_back({step(), check(0)});
  return program;
}

/// The "twostage" programs of SCTBench: the value under the second lock follows from the one under the first. It fails
/// if a reader sees the first before, and the second while, no writer has come to its second stage.
inline Program two_stage(std::uint32_t writers, std::uint32_t readers = 1) {
  enum { first, second, seen };
  Program program{.operations = {{create(1, writers), create(1 + writers, readers)}},
                  .checks = {[](const Memory& m) { return m[seen] == 0 || m[second] != 0; }}};
  for (std::uint32_t i = 0; i < writers; ++i)
    program.operations.push_back(
        {step(), lock(0), write(first, 1), unlock(0), lock(1), read(first), store(second, 1), unlock(1)});
  for (std::uint32_t i = 0; i < readers; ++i)
    program.operations.push_back(
        {step(), lock(0), read(first), store(seen, 0), unlock(0), lock(1), check(0), unlock(1)});
  return program;
}

}  // namespace heddle::test
