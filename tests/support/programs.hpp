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

/// `operations` that write `steps` times, always to another variable: no two points of the program look alike, and its
/// state is how far each operation is.
inline Program all_different(std::uint32_t operations, std::uint32_t steps) {
  Program program;
  program.operations.push_back({create(1, operations)});
  for (std::uint32_t i = 0; i < operations; ++i) {
    program.operations.emplace_back();
    for (std::uint32_t j = 0; j < steps; ++j) program.operations.back().push_back(write(i * steps + j, 1));
  }
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

/// What each of several operations has read of two variables, from memory[kReadFirst] on; -1: nothing yet.
inline constexpr std::uint32_t kReadFirst = 2;
inline std::uint32_t read_by(std::uint32_t which, std::uint32_t variable) { return kReadFirst + 2 * which + variable; }
template <typename Fits>
bool all_fit(const Memory& memory, const Fits& fits) {
  for (std::size_t i = kReadFirst; i + 1 < memory.size(); i += 2)
    if (memory[i + 1] != -1 && !fits(memory[i], memory[i + 1])) return false;
  return true;
}

/// The "reorder" programs of SCTBench: each setter writes x and then y, each checker reads x and then y. It fails if a
/// setter is stopped between its writes while no other has finished. The first step of each stands for its start.
inline Program reorder(std::uint32_t setters, std::uint32_t checkers = 1) {
  enum { x, y };
  Program program{
      .operations = {{create(1, setters), create(1 + setters, checkers)}},
      .checks = {[](const Memory& m) { return all_fit(m, [](auto x, auto y) { return x == 0 || y == 1; }); }},
      .memory = Memory(kReadFirst + 2 * checkers, -1)};
  program.memory[x] = program.memory[y] = 0;
  for (std::uint32_t i = 0; i < setters; ++i) program.operations.push_back({step(), write(x, 1), write(y, 1)});
  for (std::uint32_t i = 0; i < checkers; ++i)
    program.operations.push_back({step(), copy(x, read_by(i, x)), copy(y, read_by(i, y)), check(0)});
  return program;
}

/// The "twostage" programs of SCTBench: the value under the second lock follows from the one under the first. It fails
/// if a reader sees the first when, and the second while, no writer has come to its second stage.
inline Program two_stage(std::uint32_t writers, std::uint32_t readers = 1) {
  enum { first, second };
  Program program{.operations = {{create(1, writers), create(1 + writers, readers)}},
                  .checks = {[](const Memory& m) {
                    return all_fit(m, [](auto one, auto two) { return one == 0 || two == one + 1; });
                  }},
                  .memory = Memory(kReadFirst + 2 * readers, -1)};
  program.memory[first] = program.memory[second] = 0;
  for (std::uint32_t i = 0; i < writers; ++i)
    program.operations.push_back(
        {step(), lock(0), write(first, 1), unlock(0), lock(1), read(first), store(second, 1), unlock(1)});
  for (std::uint32_t i = 0; i < readers; ++i)
    program.operations.push_back({step(), lock(0), copy(first, read_by(i, first)), unlock(0), lock(1),
                                  copy(second, read_by(i, second)), unlock(1), check(0)});
  return program;
}

}  // namespace heddle::test
