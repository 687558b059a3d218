// What a program can do within a bound on preemptions or delays, by sections 2.3 and 2.4 of the SCTBench study
// (Thomson, Donaldson and Betts 2016). The study has no yields and no timeouts: here a thread that has yielded, slept
// or timed out, or that could go on only by a timeout, has given up its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/program.hpp"

namespace heddle::oracle {

enum class Cost : std::uint8_t { preemptions, delays };

/// Nothing if there are more than `states_max` states.
std::optional<Outcomes> outcomes_within(const Program& program, Cost cost, std::uint32_t bound, std::size_t states_max);

}  // namespace heddle::oracle
