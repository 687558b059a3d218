#include "runtime/capi/calls.hpp"

#include <cinttypes>

#include "base/hash.hpp"
#include "runtime/capi/error.hpp"

namespace heddle::runtime::capi {
namespace {

using model::EventKind;
using model::ResourceKind;
using State = Operation::State;

constexpr std::uint64_t kMain = 0;                   // the id of the operation that attached
constexpr std::uint32_t kBoundMax = (1u << 31) - 1;  // the largest bound that a schedule can hold

std::string text_of(const char* what, std::uint64_t id) { return what + std::to_string(id); }

heddle_code unknown_operation(std::uint64_t id) {
  return error(HEDDLE_UNKNOWN_OPERATION, "operation %" PRIu64 " was not created in this iteration", id);
}

heddle_code unknown_resource(std::uint64_t id) {
  return error(HEDDLE_UNKNOWN_RESOURCE, "resource %" PRIu64 " was not created in this iteration, or was deleted", id);
}

heddle_code no_ids() { return error(HEDDLE_BAD_ARGUMENT, "a wait for none: give one id or more"); }

/// A wait for one id has its own event. For several ids there is one event, which may touch any of them.
model::Event event_of(Ids ids, Until until, model::Event of_one) {
  if (ids.size() == 1) return of_one;
  return {until == Until::all ? EventKind::wait_all : EventKind::wait_any, kNoResource, of_one.place};
}

}  // namespace

void Calls::begin(ResourceId end_of_main) {
  waits_.clear();
  operations_.clear();
  resources_.clear();
  operation_index_.clear();
  resource_index_.clear();
  bound_.clear();
  add_operation(kMain, kMainOperation, end_of_main);
  start(kMain);
}

// --- operations ----------------------------------------------------------------------------------------------------

const Operation* Calls::find_operation(std::uint64_t id) const {
  const std::uint32_t at = operation_index_.find(id);
  return at == IdTable::kNone ? nullptr : &operations_[at];
}

heddle_code Calls::may_create(std::uint64_t id) const {
  if (id == kMain) return error(HEDDLE_MAIN_CREATED);
  const Operation* known = find_operation(id);
  if (known == nullptr || known->state == State::ended) return HEDDLE_OK;
  return error(HEDDLE_DUPLICATE_OPERATION, "operation %" PRIu64 " was created already, and has not ended", id);
}

heddle_code Calls::may_start(std::uint64_t id) const {
  if (id == kMain) return error(HEDDLE_MAIN_STARTED);
  const Operation* known = find_operation(id);
  if (known == nullptr) return unknown_operation(id);
  if (known->state == State::started)
    return error(HEDDLE_ALREADY_STARTED, "operation %" PRIu64 " has started already", id);
  if (known->state == State::ended) return error(HEDDLE_ALREADY_ENDED, "operation %" PRIu64 " has ended already", id);
  return HEDDLE_OK;
}

heddle_code Calls::may_end(std::uint64_t id) const {
  if (id == kMain) return error(HEDDLE_MAIN_ENDED);
  const Operation* known = find_operation(id);
  if (known == nullptr) return unknown_operation(id);
  if (known->state == State::created)
    return error(HEDDLE_NOT_STARTED, "operation %" PRIu64 " has not started, so it cannot end", id);
  if (known->state == State::ended) return error(HEDDLE_ALREADY_ENDED, "operation %" PRIu64 " has ended already", id);
  return HEDDLE_OK;
}

void Calls::add_operation(std::uint64_t id, OperationId self, ResourceId end) {
  operation_index_.set(id, static_cast<std::uint32_t>(operations_.size()));
  operations_.push_back({id, kNoOperation, end, State::created});
  if (self != kNoOperation) bind(id, self);
}

void Calls::bind(std::uint64_t id, OperationId self) {
  const std::uint32_t at = operation_index_.find(id);
  operations_[at].self = self;
  if (index(self) >= bound_.size()) bound_.resize(index(self) + 1);
  bound_[index(self)] = at + 1;
}

const Operation* Calls::live(OperationId self) const {
  if (index(self) >= bound_.size() || bound_[index(self)] == 0) return nullptr;
  const Operation& operation = operations_[bound_[index(self)] - 1];
  return operation.state == State::started ? &operation : nullptr;
}

void Calls::end(std::uint64_t id) {
  Operation& ended = operation(id);
  ended.state = State::ended;
  wake_all(ended.end);
}

heddle_code Calls::join(Ids ids, Until until, std::size_t* which, const void* place) {
  if (ids.empty()) return no_ids();
  std::size_t ended = 0;
  std::size_t first_ended = ids.size();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Operation* known = find_operation(ids[i]);
    if (known == nullptr) return unknown_operation(ids[i]);
    if (ids[i] == kMain) return error(HEDDLE_BAD_ARGUMENT, "operation 0 ends by heddle_detach, so nobody can join it");
    if (known == live(self())) return error(HEDDLE_BAD_ARGUMENT, "operation %" PRIu64 " joins itself", ids[i]);
    if (known->state != State::ended) continue;
    if (++ended == 1) first_ended = i;
  }
  const model::Event event = event_of(ids, until, {EventKind::join, operation(ids[0]).end, place});
  if (until == Until::all ? ended == ids.size() : ended > 0) {
    const heddle_code code = world_.step(event);
    if (code == HEDDLE_OK && which != nullptr) *which = first_ended;
    return code;
  }
  for (std::uint64_t id : ids)
    if (!has_ended(id)) waits_.add(self(), operation(id).end, until);
  const heddle_code code = world_.step_when_woken(event);
  if (code != HEDDLE_OK || which == nullptr) return code;
  const ResourceId end = waits_.ended_by(self());  // the id may since have been given to another operation
  std::size_t at = operations_.size() - 1;
  while (operations_[at].end != end) --at;
  *which = 0;
  while (ids[*which] != operations_[at].id) ++*which;
  return HEDDLE_OK;
}

heddle_code Calls::current(std::uint64_t* id) const {
  if (id == nullptr) return error(HEDDLE_BAD_ARGUMENT, "nowhere to put the id");
  const Operation* running = live(world_.scheduler().current());
  if (running == nullptr) return error(HEDDLE_NOT_STARTED, "the calling thread has no id: it started no operation");
  *id = running->id;
  return HEDDLE_OK;
}

// --- resources -----------------------------------------------------------------------------------------------------

Calls::Resource* Calls::find_resource(std::uint64_t id) {
  const std::uint32_t at = resource_index_.find(id);
  return at == IdTable::kNone || !resources_[at].created ? nullptr : &resources_[at];
}

/// An id that is only read or written is a resource too; no operation can wait for it.
Calls::Resource& Calls::touched_resource(std::uint64_t id) {
  std::uint32_t at = resource_index_.find(id);
  if (at == IdTable::kNone) {
    at = static_cast<std::uint32_t>(resources_.size());
    resources_.push_back({id, world_.scheduler().add_resource(ResourceKind::variable, nullptr), false});
    resource_index_.set(id, at);
  }
  return resources_[at];
}

heddle_code Calls::create_resource(std::uint64_t id) {
  Resource& resource = touched_resource(id);
  if (resource.created)
    return error(HEDDLE_DUPLICATE_RESOURCE, "resource %" PRIu64 " was created already, and not deleted", id);
  resource.created = true;
  world_.scheduler().resource(resource.self).kind = ResourceKind::signal;
  return HEDDLE_OK;
}

heddle_code Calls::delete_resource(std::uint64_t id) {
  Resource* resource = find_resource(id);
  if (resource == nullptr) return unknown_resource(id);
  const OperationId waiter = waits_.waiter_for(resource->self);
  if (waiter != kNoOperation)
    return error(HEDDLE_RESOURCE_IN_USE, "resource %" PRIu64 " cannot be deleted: %s waits for it", id,
                 name(waiter).c_str());
  resource->created = false;
  return HEDDLE_OK;
}

heddle_code Calls::wait(Ids ids, Until until, std::size_t* which, const void* place) {
  if (ids.empty()) return no_ids();
  for (std::uint64_t id : ids)
    if (find_resource(id) == nullptr) return unknown_resource(id);
  for (std::uint64_t id : ids) waits_.add(self(), find_resource(id)->self, until);
  const model::Event of_one{EventKind::wait_any, find_resource(ids[0])->self, place};
  const heddle_code code = world_.step_when_woken(event_of(ids, until, of_one));
  if (code != HEDDLE_OK || which == nullptr) return code;
  *which = 0;
  while (touched_resource(ids[*which]).self != waits_.ended_by(self())) ++*which;
  return HEDDLE_OK;
}

void Calls::wake_all(ResourceId what) {
  engine::Scheduler& scheduler = world_.scheduler();
  for (OperationId who; (who = waits_.waiter_for(what)) != kNoOperation;)
    if (waits_.came(who, what)) scheduler.stand(who, scheduler.next(who));
}

heddle_code Calls::signal(std::uint64_t id) {
  const Resource* resource = find_resource(id);
  if (resource == nullptr) return unknown_resource(id);
  wake_all(resource->self);
  return HEDDLE_OK;
}

heddle_code Calls::signal_operation(std::uint64_t resource_id, std::uint64_t operation_id) {
  const Resource* resource = find_resource(resource_id);
  if (resource == nullptr) return unknown_resource(resource_id);
  const Operation* waiter = find_operation(operation_id);
  if (waiter == nullptr) return unknown_operation(operation_id);
  if (!waits_.is_waiting(waiter->self, resource->self))
    return error(HEDDLE_NOT_WAITING, "operation %" PRIu64 " does not wait for resource %" PRIu64, operation_id,
                 resource_id);
  engine::Scheduler& scheduler = world_.scheduler();
  if (waits_.came(waiter->self, resource->self)) scheduler.stand(waiter->self, scheduler.next(waiter->self));
  return HEDDLE_OK;
}

// --- scheduling points and choices ---------------------------------------------------------------------------------

heddle_code Calls::schedule(const void* place) { return world_.step({EventKind::step, kNoResource, place}); }

heddle_code Calls::yield(const void* place) { return world_.step({EventKind::yield, kNoResource, place}); }

heddle_code Calls::schedule_event(heddle_event event, std::uint64_t id, const void* place) {
  EventKind kind;
  switch (event) {
    case HEDDLE_READ:
      kind = EventKind::read;
      break;
    case HEDDLE_WRITE:
      kind = EventKind::write;
      break;
    case HEDDLE_ACQUIRE:
      kind = EventKind::acquire;
      break;
    default:
      return error(HEDDLE_BAD_ARGUMENT, "%d is no event: it is HEDDLE_READ, HEDDLE_WRITE or HEDDLE_ACQUIRE",
                   static_cast<int>(event));
  }
  return world_.step({kind, touched_resource(id).self, place});
}

heddle_code Calls::choose(std::uint32_t bound, std::uint32_t* value, const void* place) {
  if (value == nullptr) return error(HEDDLE_BAD_ARGUMENT, "nowhere to put the value");
  if (bound == 0 || bound > kBoundMax)
    return error(HEDDLE_BAD_ARGUMENT, "a value below %u cannot be chosen: the bound is 1 to %u", bound, kBoundMax);
  *value = world_.choose(bound, false, place);
  return HEDDLE_OK;
}

heddle_code Calls::inject_failure(bool* fails, const void* place) {
  if (fails == nullptr) return error(HEDDLE_BAD_ARGUMENT, "nowhere to put the answer");
  *fails = world_.choose(2, true, place) == 1;
  return HEDDLE_OK;
}

// As heddle::observe: the scheduler tells things apart by address, and an id may be one.
heddle_code Calls::observe(std::uint64_t id, std::uint64_t state) {
  world_.scheduler().observe(reinterpret_cast<const void*>(id), mix(state + 1));
  return HEDDLE_OK;
}

// --- words ---------------------------------------------------------------------------------------------------------

std::string Calls::waiting_text(const Operation& operation) const {
  std::string text;
  std::size_t count = 0;
  waits_.for_each(operation.self, [&](ResourceId what) {
    text = name(what) + (count++ > 0 ? ", " : "") + text;  // the last one added comes first
  });
  if (count == 0) return " waits";
  if (count == 1) return " waits for " + text;
  return (waits_.until(operation.self) == Until::all ? " waits for all of " : " waits for any of ") + text;
}

std::string Calls::who_waits_for_what() const {
  std::string text;
  for (const Operation& operation : operations_) {
    if (operation.state == State::ended) continue;
    if (!text.empty()) text += ", ";
    text += text_of("operation ", operation.id) + waiting_text(operation);
  }
  return text;
}

const Operation* Calls::not_started() const {
  for (const Operation& operation : operations_)
    if (operation.state == State::created) return &operation;
  return nullptr;
}

std::string Calls::name(OperationId id) const {
  if (index(id) >= bound_.size() || bound_[index(id)] == 0) return {};
  return text_of("operation ", operations_[bound_[index(id)] - 1].id);
}

std::string Calls::name(ResourceId id) const {
  for (const Resource& resource : resources_)
    if (resource.self == id) {
      const bool is_only_touched = world_.scheduler().resource(id).kind == ResourceKind::variable;
      return text_of(is_only_touched ? "id " : "resource ", resource.id);
    }
  for (const Operation& operation : operations_)
    if (operation.end == id) return text_of("the end of operation ", operation.id);
  return {};
}

}  // namespace heddle::runtime::capi
