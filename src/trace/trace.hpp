// What one execution did: its schedule, the events that it led to, and enough about the program to make sense of them.
//
// Reports, replay and minimisation see only this. The engine fills in everything except the source lines of places.
// report/symbolizer adds those while the program is still loaded. After that a trace stands on its own. trace/file.hpp
// writes and reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/access_kind.hpp"
#include "base/ids.hpp"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "trace/schedule.hpp"
#include "trace/verdict.hpp"

namespace heddle {

/// A place in the program's code. Two runs of one build agree on module and offset, wherever the module was loaded.
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
  std::string name;  // the function it runs, or the name the program gave it
  bool ended = false;
  std::vector<std::uint32_t> stack;  // its stack at the end; indices of places, innermost first
  model::Event next;                 // its next event at the end (place not filled in)
};

struct TraceResource {
  model::ResourceKind kind = model::ResourceKind::variable;
  std::string name;                   // of the variable, if it has one; `&module+0x4010` until symbols are known
  OperationId holder = kNoOperation;  // at the end; for the kind `operation`: the operation whose end this is
};

struct TraceStep {
  OperationId operation = kNoOperation;
  model::EventKind kind = model::EventKind::step;
  ResourceId resource = kNoResource;
  bool is_choice = false;   // two or more operations could have gone
  bool preempts = false;    // one of them was the operation of the previous step; implies is_choice
  std::uint32_t value = 0;  // of a data choice: kind is choose
  std::uint32_t bound = 0;
  std::vector<std::uint32_t> stack;  // indices of places, innermost first
};

/// A lock that an operation held.
struct TraceLock {
  ResourceId lock = kNoResource;
  std::uint32_t step = 0;  // that took it, from 1; 0: not taken by a step, so it is unknown where

  bool operator==(const TraceLock&) const = default;
};

/// A memory access that the verdict is about. A data race has both accesses, and the allocation of the block.
struct TraceAccess {
  OperationId operation = kNoOperation;
  AccessKind what = AccessKind::read;
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> stack;             // indices of places, innermost first
  std::optional<std::vector<TraceLock>> locks;  // held at the time, last taken first; nullopt: unknown
};

/// What a machine did between two steps, in the words of its runtime's log. Used for charts.
struct TraceNote {
  std::uint32_t step = 0;                // the number of steps before it
  OperationId operation = kNoOperation;  // the operation that made the note
  std::string what;                      // such as sent, taken, entered
  OperationId other = kNoOperation;      // the receiver, or the created machine
  std::string text;                      // the event, the state, or what was logged

  bool operator==(const TraceNote&) const = default;
};

struct TraceHeader {
  std::string program;                 // path of the executable
  std::vector<std::string> arguments;  // without the program
  std::string directory;               // the working directory
  std::string build_id;                // of the executable, in hex; empty if it has none
  std::string exploration;             // which call of heddle::explore: its name
  std::string strategy;                // as a specification that strategy::parse takes
  std::uint64_t seed = 0;
  std::uint64_t execution = 0;                               // its number in the exploration, from 1
  std::vector<std::pair<std::string, std::string>> options;  // other settings that a replay must repeat

  /// The value of this option; empty: not set.
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

  /// The choices alone, which are enough to replay it.
  std::vector<Choice> schedule() const;
  /// Are the steps between the choices missing? (The header says so.) Such a trace replays, but has no steps to
  /// compare.
  bool has_choices_only() const;
};

/// A trace with only the choices, for an execution that was not being recorded when it ended the process.
Trace trace_of_choices(const std::vector<Choice>& schedule, std::uint32_t operations);

}  // namespace heddle
