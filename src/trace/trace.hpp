// What one execution did: its schedule with the events that it led to, and enough about the program to read it.
//
// Reports, replay and minimisation see only this. The engine fills in everything but the source lines of places, which
// report/symbolizer adds while the program is still loaded; after that a trace stands on its own. trace/file.hpp writes
// and reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "trace/schedule.hpp"
#include "trace/verdict.hpp"

namespace heddle {

/// A place in the program's code. Two runs of one build agree on module and offset, wherever they were loaded.
struct Place {
  std::string module;        // path of the executable or library
  std::uint64_t offset = 0;  // of the call, in that file
  struct Line {              // one for each function inlined there, innermost first
    std::string function;
    std::string file;
    int line = 0;  // 0: not known
  };
  std::vector<Line> lines;  // empty: not known

  bool same_code(const Place& other) const { return offset == other.offset && module == other.module; }
};

struct TraceOperation {
  OperationId parent = kNoOperation;
  std::string name;  // the function that it runs, or what the program called it
  bool ended = false;
  std::vector<std::uint32_t> stack;  // where it stood at the end; indices of places, innermost first
  model::Event next;                 // and before which event (place not filled in)
};

struct TraceResource {
  model::ResourceKind kind = model::ResourceKind::variable;
  std::string name;                   // of the variable, if it has one; until symbols are known `&module+0x4010`
  OperationId holder = kNoOperation;  // at the end; of kind operation: whose end it is
};

struct TraceStep {
  OperationId operation = kNoOperation;
  model::EventKind kind = model::EventKind::step;
  ResourceId resource = kNoResource;
  bool is_choice = false;   // two or more operations could have gone
  bool preempts = false;    // and one of them was the operation of the step before; a choice, then
  std::uint32_t value = 0;  // of a data choice: kind is choose
  std::uint32_t bound = 0;
  std::vector<std::uint32_t> stack;  // indices of places, innermost first
};

/// A lock that an operation held.
struct TraceLock {
  ResourceId lock = kNoResource;
  std::uint32_t step = 0;  // that took it, from 1; 0: none did, so it is not known where

  bool operator==(const TraceLock&) const = default;
};

/// An access of memory that the verdict is about: of a data race both, and where the block was allocated.
struct TraceAccess {
  OperationId operation = kNoOperation;
  std::string what;  // read, write, atomic-read, atomic-write, free, allocate or use
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> stack;             // indices of places, innermost first
  std::optional<std::vector<TraceLock>> locks;  // held then, the last one taken first; nothing: not known
};

/// What a machine did between two steps, in the words of its runtime's log: for charts.
struct TraceNote {
  std::uint32_t step = 0;                // after so many steps
  OperationId operation = kNoOperation;  // whose it is
  std::string what;                      // as in sent, taken, entered
  OperationId other = kNoOperation;      // to whom it was sent, or who was created
  std::string text;                      // the event, the state, or what was logged

  bool operator==(const TraceNote&) const = default;
};

struct TraceHeader {
  std::string program;                 // path of the executable
  std::vector<std::string> arguments;  // without the program
  std::string directory;               // in which it ran
  std::string build_id;                // of the executable, in hex; empty if it has none
  std::string exploration;             // which call of heddle::explore: its name
  std::string strategy;                // as a specification that strategy::parse takes
  std::uint64_t seed = 0;
  std::uint64_t execution = 0;                               // the how-manyeth it was, from 1
  std::vector<std::pair<std::string, std::string>> options;  // what else must be the same to replay it

  /// What it says of that option; empty: nothing.
  std::string_view option(std::string_view key) const;
};

struct Trace {
  TraceHeader header;
  std::vector<Place> places;
  std::vector<TraceOperation> operations;  // indexed by operation
  std::vector<TraceResource> resources;    // indexed by resource
  std::vector<TraceStep> steps;
  std::vector<TraceNote> notes;
  std::vector<TraceAccess> accesses;
  Verdict verdict;

  /// The choices alone: what replays it.
  std::vector<Choice> schedule() const;
  /// Are the steps between the choices missing? (The header says so.) Then it replays, but there is nothing to compare.
  bool has_choices_only() const;
};

/// A trace of the choices alone, of an execution that was not recorded when it ended the process.
Trace trace_of_choices(const std::vector<Choice>& schedule, std::uint32_t operations);

}  // namespace heddle
