// The calls of the running operation, in terms of the caller's ids. They are the same in both worlds.
//
// Every call checks all its arguments before it changes anything, so a call that returns an error has done nothing.
// Signals, ends and creations are not scheduling points; joins, waits and schedules are. The end of an operation is a
// resource that its joiners wait for like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "heddle/heddle.h"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "runtime/capi/id_table.hpp"
#include "runtime/capi/waits.hpp"
#include "runtime/capi/world.hpp"

namespace heddle::runtime::capi {

using Ids = std::span<const std::uint64_t>;

struct Operation {
  enum class State : std::uint8_t { created, started, ended };

  std::uint64_t id = 0;
  OperationId self = kNoOperation;  // inside heddle::explore not known before the operation starts
  ResourceId end = kNoResource;     // the resource that its joiners wait for
  State state = State::created;
};

class Calls {
 public:
  explicit Calls(World& world) : world_(world) {}

  /// Begins another execution, with only operation 0.
  void begin(ResourceId end_of_main);

  // Operations. The worlds create, start and end them, and ask here whether they may.
  heddle_code may_create(std::uint64_t id) const;
  heddle_code may_start(std::uint64_t id) const;
  /// HEDDLE_OK also if `id` is not the running operation.
  heddle_code may_end(std::uint64_t id) const;
  /// The last operation created with this id; there must be one.
  Operation& operation(std::uint64_t id) { return operations_[operation_index_.find(id)]; }
  /// Without `self`, the operation must be bound before it starts.
  void add_operation(std::uint64_t id, OperationId self, ResourceId end);
  void bind(std::uint64_t id, OperationId self);
  void start(std::uint64_t id) { operation(id).state = Operation::State::started; }
  /// The operation that runs as `self`, unless it has ended. Null: none.
  const Operation* live(OperationId self) const;
  void end(std::uint64_t id);
  heddle_code join(Ids ids, Until until, std::size_t* which, const void* place);
  heddle_code current(std::uint64_t* id) const;

  // Resources.
  heddle_code create_resource(std::uint64_t id);
  heddle_code delete_resource(std::uint64_t id);
  heddle_code wait(Ids ids, Until until, std::size_t* which, const void* place);
  heddle_code signal(std::uint64_t id);
  heddle_code signal_operation(std::uint64_t resource, std::uint64_t operation);

  // Scheduling points and choices.
  heddle_code schedule(const void* place);
  heddle_code schedule_event(heddle_event event, std::uint64_t id, const void* place);
  heddle_code yield(const void* place);
  heddle_code choose(std::uint32_t bound, std::uint32_t* value, const void* place);
  heddle_code inject_failure(bool* fails, const void* place);
  heddle_code observe(std::uint64_t id, std::uint64_t state);

  Waits& waits() { return waits_; }

  /// `operation 1 waits for resource 7, operation 2 waits for the end of operation 1`: all that have not ended.
  std::string who_waits_for_what() const;
  /// An operation that was created and has not started; null: none.
  const Operation* not_started() const;
  /// The caller's names: `operation 7`, `resource 7`. Empty: not declared by the caller.
  std::string name(OperationId id) const;
  std::string name(ResourceId id) const;

 private:
  struct Resource {
    std::uint64_t id = 0;
    ResourceId self = kNoResource;
    bool created = false;  // otherwise only named in an event, or deleted
  };

  const Operation* find_operation(std::uint64_t id) const;
  Resource* find_resource(std::uint64_t id);
  Resource& touched_resource(std::uint64_t id);
  bool has_ended(std::uint64_t id) { return operation(id).state == Operation::State::ended; }
  OperationId self() { return world_.scheduler().current(); }
  void wake_all(ResourceId what);
  std::string waiting_text(const Operation& operation) const;

  World& world_;
  Waits waits_;
  PageVector<Operation> operations_;
  PageVector<Resource> resources_;
  IdTable operation_index_;  // of the last operation with that id
  IdTable resource_index_;
  PageVector<std::uint32_t> bound_;  // indexed by OperationId: index + 1 in operations_; 0: none
};

}  // namespace heddle::runtime::capi
