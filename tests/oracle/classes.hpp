// How many classes of executions a program has, by the naive interpreter: executions are in one class if they have the
// same steps and order those alike that use the same object, unless both only look at it.
//
// For the calls of which that is easily said: those of mutexes, spin locks, read-write locks, semaphores and conditions
// without a deadline, and memory, of which every step may be any access.
#pragma once

#include <cstddef>
#include <optional>

#include "oracle/program.hpp"

namespace heddle::oracle {

/// The program with every other call replaced by one of those.
Program only_plain_calls(Program program);

/// Nothing if there are more than `executions_max` executions.
std::optional<std::size_t> count_classes(const Program& program, std::size_t executions_max);

}  // namespace heddle::oracle
