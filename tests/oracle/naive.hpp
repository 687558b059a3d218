// What a program can do, by POSIX alone: every interleaving of its steps, by brute force over plain states.
//
// It knows nothing of heddle, and no fairness: a thread may stand still for as long as it likes. So a sleep or a timed
// wait may expire at any moment; but a timed lock that could be had when it is tried is had. A signal wakes any of the
// waiters, and no wait comes back for no reason. A request to cancel a thread is acted on as soon as the thread is at a
// cancellation point. The end of a thread is a step of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/program.hpp"

namespace heddle::oracle {

/// Nothing if there are more than `states_max` states.
std::optional<Outcomes> all_outcomes(const Program& program, std::size_t states_max);

/// Is there a state in which some thread can never go on, whatever the others do? True also if there are too many.
bool can_get_stuck(const Program& program, std::size_t states_max);

/// How many ways there are through all these states: the executions that a search without any reduction needs. Nothing
/// if there are too many states.
std::optional<std::uint64_t> interleavings(const Program& program, std::size_t states_max);

}  // namespace heddle::oracle
