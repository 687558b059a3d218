// The services that the state-machine runtime needs from an execution, as a table of functions.
//
// heddle_actor is linked into production programs, which do not have libheddle. It therefore reaches the engine through
// one weak symbol, which libheddle exports (src/runtime/actor/actors.cpp). Without that symbol, nothing is ever
// explored.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.hpp"
#include "model/event.hpp"
#include "strategy/strategy.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

struct Actors {
  /// True if the caller is an operation under control.
  bool (*is_exploring)();
  /// Creates an operation that stands at its start and ends when `body` returns. kNoOperation: no thread is available,
  /// where the operation needs one from the start.
  OperationId (*create)(void* (*body)(void*), void* argument);
  /// Creates the operation of a timer, which begins at its deadline.
  OperationId (*create_timer)(void* (*body)(void*), void* argument, std::uint64_t delay_ns);
  ResourceId (*add_inbox)(const void* identity);
  OperationId (*self)();
  /// A scheduling point before an event that is always admitted.
  void (*step)(model::EventKind kind, ResourceId inbox, const void* place);
  /// The running operation gives an event to the owner of the inbox; the owner takes it.
  void (*give)(ResourceId inbox);
  void (*take)(ResourceId inbox);
  /// Stands before the inbox until another operation wakes it.
  void (*stand)(ResourceId inbox);
  void (*wake)(OperationId who, ResourceId inbox);
  /// As `stand`, for a machine, which serves the others: the execution may end in the meantime. It either returns, or
  /// `body` is called again, perhaps in another thread: nothing that is on the stack is needed any more.
  void (*rest)(ResourceId inbox);
  /// The same for the operation of a timer, until `delay_ns` of virtual time has passed, or until the strategy decides.
  void (*sleep)(std::uint64_t delay_ns);
  /// The timer's operation stands forever.
  void (*stop_timer)(OperationId timer);
  std::uint32_t (*choose)(std::uint32_t bound, bool is_failure);
  void (*fail)(VerdictKind kind, std::string_view message);  // does not return
  void (*observe)(OperationId who, std::uint64_t hash);
  /// The running step changes an object that several machines share: a monitor.
  void (*touch)(const void* object);
  std::uint64_t (*steps)();  // taken so far in this execution
  std::uint64_t (*steps_max)();
  bool (*is_fair)();
  /// What the strategy wants to see of the machines.
  strategy::MachinesShow (*machines_show)();
  /// True if this run is made into a trace and so wants names and notes (engine/recorder.hpp).
  bool (*is_recording)();
  void (*name)(OperationId who, std::string_view name);
  void (*note)(OperationId who, std::string_view what, OperationId other, std::string_view text);
};

}  // namespace heddle::engine

extern "C" [[gnu::visibility("default")]] const heddle::engine::Actors* heddle_actors();
