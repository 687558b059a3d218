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

/// Where an operation stood when another took its step, and what that step was predicted to do to it.
struct Standing {
  OperationId operation;
  model::Event event;
  bool is_enabled = false;
  bool is_dependent = false;
  bool can_be_enabled = false;
  bool can_be_disabled = false;
};

/// A step of an execution: the operation that took it, the event that it was, and all that it touched.
struct Step {
  OperationId operation;
  model::Event event;
  model::Footprint footprint;
  bool was_enabled = false;           // before the step before it, too, and stood before the same event
  bool is_complete = false;           // it did not end the execution
  model::Footprint predicted = {};    // what it was to touch
  std::vector<Standing> others = {};  // that had not ended
  std::string before;                 // if it was a choice: the state in which it was taken (oracle/snapshot.hpp)
};

/// What it takes to go the same way again, or nearly the same.
struct Recorded {
  std::vector<Step> steps;            // from the first choice on
  std::vector<std::uint32_t> values;  // that the program was given, in order
  std::vector<OperationId> takers;    // the operation that was given each of them
  std::uint64_t order_class = 0;
  Outcome outcome;
};

/// Sees each execution when it is over.
using OnExecution = std::function<void(const Recorded& recorded)>;

enum class On : std::uint8_t { carrier, baton };

/// Is the end of a thread a step of its own, where others can go on?
enum class Ends : std::uint8_t { are_steps, are_not };

/// Goes on after failures. Stops after `executions_max`. `needed/dfs`: with no more choices than those that a
/// strategy that samples is offered.
Explored explore(const Program& program, const std::string& strategy, std::uint64_t executions_max,
                 On executor = On::carrier, const OnExecution& on_execution = {}, Ends ends = Ends::are_steps);

enum class Followed : std::uint8_t {
  to_the_end,
  blocked,  // an operation could not take the step that it was to take
  unfair    // it could, but heddle would not let it: others wait behind it
};

struct FollowedTo {
  Followed how = Followed::to_the_end;
  std::string state;  // at the first choice after `count` steps; empty: there was none
  Outcome outcome;
};

/// One execution with those steps in that order, and what it had come to after `count` of them. Where nothing can be
/// chosen an operation may take more steps or fewer: some events are steps only while there is a choice.
FollowedTo follow(const Program& program, const Recorded& recorded, std::size_t count);

}  // namespace heddle::oracle
