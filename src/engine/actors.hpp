// What the runtime of state machines asks of an execution, as a table of functions.
//
// heddle_actor is linked into production programs, which have no libheddle. So it reaches the engine by one weak
// symbol, which libheddle exports (src/runtime/actor/actors.cpp): without it nothing is ever explored.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.hpp"
#include "model/event.hpp"
#include "strategy/strategy.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

struct Actors {
  /// Is the caller an operation under control?
  bool (*is_exploring)();
  /// A new operation that stands at its start. It ends when `body` returns. kNoOperation: no thread to be had.
  OperationId (*create)(void* (*body)(void*), void* argument);
  /// An operation of a timer, which begins when its deadline has come.
  OperationId (*create_timer)(void* (*body)(void*), void* argument, std::uint64_t delay_ns);
  ResourceId (*add_inbox)(const void* identity);
  OperationId (*self)();
  /// A scheduling point before an event that is always admitted.
  void (*step)(model::EventKind kind, ResourceId inbox, const void* place);
  /// The running operation has an event for the owner of the inbox, and the owner takes it.
  void (*give)(ResourceId inbox);
  void (*take)(ResourceId inbox);
  /// Stands before the inbox until somebody wakes it. `serves`: an execution may end meanwhile.
  void (*stand)(ResourceId inbox, bool serves);
  void (*wake)(OperationId who, ResourceId inbox);
  /// Stands until so much virtual time has passed, or the strategy likes.
  void (*sleep)(std::uint64_t delay_ns);
  /// Its operation stands for ever.
  void (*stop_timer)(OperationId timer);
  std::uint32_t (*choose)(std::uint32_t bound, bool is_failure);
  void (*fail)(VerdictKind kind, std::string_view message);  // does not come back
  void (*observe)(OperationId who, std::uint64_t hash);
  /// The running step changes something that several machines share: a monitor.
  void (*touch)(const void* object);
  std::uint64_t (*steps)();  // taken by the execution so far
  std::uint64_t (*steps_max)();
  bool (*is_fair)();
  /// What the strategy wants to see of machines.
  strategy::MachinesShow (*machines_show)();
  /// Is this run made into a trace? Then it wants names and notes (engine/recorder.hpp).
  bool (*is_recording)();
  void (*name)(OperationId who, std::string_view name);
  void (*note)(OperationId who, std::string_view what, OperationId other, std::string_view text);
};

}  // namespace heddle::engine

extern "C" [[gnu::visibility("default")]] const heddle::engine::Actors* heddle_actors();
