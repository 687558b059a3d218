// A program by real threads inside heddle: every execution of a systematic strategy, and how each ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "model/event.hpp"
#include "model/footprint.hpp"
#include "oracle/program.hpp"

namespace heddle::oracle {

struct Explored {
  bool finished = false;  // the strategy says that nothing is left
  std::string what;       // then: what it says that it has explored
  std::uint64_t executions = 0;
  Outcomes outcomes;
  std::string strange;  // the sentence of a verdict that no program may have
};

/// A step of an execution: the operation that took it, the event that it was, and all that it touched.
struct Step {
  OperationId operation;
  model::Event event;
  model::Footprint footprint;
  bool was_enabled = false;  // before the step before it, too, and stood before the same event
};

/// What it takes to go the same way again, or nearly the same.
struct Recorded {
  std::vector<Step> steps;            // from the first choice on
  std::vector<std::uint32_t> values;  // that the program was given, in order
  std::vector<OperationId> takers;    // the operation that was given each of them
  Outcome outcome;
};

/// Sees each execution when it is over.
using OnExecution = std::function<void(const Recorded& recorded)>;

enum class On : std::uint8_t { carrier, baton };

/// Goes on after failures. Stops after `executions_max`.
Explored explore(const Program& program, const std::string& strategy, std::uint64_t executions_max,
                 On executor = On::carrier, const OnExecution& on_execution = {});

enum class Followed : std::uint8_t {
  to_the_end,
  blocked,  // an operation could not take the step that it was to take
  unfair    // it could, but heddle would not let it: others wait behind it
};

struct FollowedTo {
  Followed how = Followed::to_the_end;
  Outcome outcome;
};

/// One execution with those steps in that order. Where nothing can be chosen an operation may take more steps.
FollowedTo follow(const Program& program, const Recorded& recorded);

}  // namespace heddle::oracle
