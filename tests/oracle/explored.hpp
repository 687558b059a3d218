// A program by real threads inside heddle: every execution of a systematic strategy, and how each ended.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "engine/executor.hpp"
#include "oracle/program.hpp"
#include "trace/schedule.hpp"

namespace heddle::oracle {

struct Explored {
  bool finished = false;  // the strategy says that nothing is left
  std::string what;       // then: what it says that it has explored
  std::uint64_t executions = 0;
  Outcomes outcomes;
  std::string strange;  // the sentence of a verdict that no program may have
};

/// Sees each execution: the choices that were made, and how it ended.
using OnExecution = std::function<void(std::span<const Choice> schedule, const Outcome& outcome)>;

enum class On : std::uint8_t { carrier, baton };

/// Goes on after failures. Stops after `executions_max`.
Explored explore(const Program& program, const std::string& strategy, std::uint64_t executions_max,
                 On executor = On::carrier, const OnExecution& on_execution = {});

/// One execution along a schedule; nothing if the program does not follow it.
std::optional<Outcome> replay(const Program& program, std::span<const Choice> schedule);

}  // namespace heddle::oracle
