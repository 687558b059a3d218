// The functions of heddle/heddle.h. Each goes to the execution of heddle::explore that the caller is part of, or
// otherwise to the session of the process.
#include "heddle/heddle.h"

#include "runtime/capi/error.hpp"
#include "runtime/capi/explored_world.hpp"
#include "runtime/capi/session.hpp"
#include "runtime/front.hpp"

using namespace heddle::runtime;
using namespace heddle::runtime::capi;

namespace {

/// A call that only the running operation may make.
template <typename Call>
heddle_code by_running_operation(const Call& call) {
  if (is_controlled()) return call(explored_world.calls());
  Session& outside = session();
  if (!outside.is_attached()) return error(HEDDLE_NOT_ATTACHED);
  const Session::Turn turn(outside);
  return turn.code == HEDDLE_OK ? call(outside.calls()) : turn.code;
}

/// A call that controls explorations, which heddle::explore does itself.
template <typename Call>
heddle_code outside(const Call& call) {
  if (is_controlled()) return error(HEDDLE_ALREADY_EXPLORING);
  return call(session());
}

heddle_code missing_ids() { return error(HEDDLE_BAD_ARGUMENT, "the ids are missing"); }

}  // namespace

heddle_code heddle_open(const char* strategy, uint64_t seed) {
  return outside([&](Session& session) { return session.open(strategy, seed); });
}

heddle_code heddle_close() {
  return outside([](Session& session) { return session.close(); });
}

heddle_code heddle_set_option(const char* name, uint64_t value) {
  return outside([&](Session& session) { return session.set_option(name, value); });
}

heddle_code heddle_attach() {
  return outside([](Session& session) { return session.attach(); });
}

heddle_code heddle_detach() {
  return outside([](Session& session) { return session.detach(); });
}

heddle_code heddle_save_trace(const char* path) {
  return outside([&](Session& session) { return session.save_trace(path); });
}

heddle_code heddle_replay(const char* path) {
  return outside([&](Session& session) { return session.replay(path); });
}

heddle_code heddle_fail(const char* message) {
  if (is_controlled()) return explored_world.fail(message);
  return by_running_operation([&](Calls&) { return session().fail(message); });
}

heddle_code heddle_create_operation(uint64_t id) {
  if (is_controlled()) return explored_world.create(id);
  return by_running_operation([&](Calls&) { return session().create(id); });
}

heddle_code heddle_start_operation(uint64_t id) {
  if (is_controlled()) return explored_world.start(id);
  return session().is_attached() ? session().start(id) : error(HEDDLE_NOT_ATTACHED);
}

heddle_code heddle_end_operation(uint64_t id) {
  if (is_controlled()) return explored_world.end(id);
  return session().is_attached() ? session().end(id) : error(HEDDLE_NOT_ATTACHED);
}

heddle_code heddle_join_operation(uint64_t id) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) { return calls.join({&id, 1}, Until::all, nullptr, place); });
}

heddle_code heddle_join_all(const uint64_t* ids, size_t count) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) {
    return ids == nullptr ? missing_ids() : calls.join({ids, count}, Until::all, nullptr, place);
  });
}

heddle_code heddle_join_any(const uint64_t* ids, size_t count, size_t* which) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) {
    return ids == nullptr ? missing_ids() : calls.join({ids, count}, Until::any, which, place);
  });
}

heddle_code heddle_current_operation(uint64_t* id) {
  return by_running_operation([&](Calls& calls) { return calls.current(id); });
}

heddle_code heddle_create_resource(uint64_t id) {
  return by_running_operation([&](Calls& calls) { return calls.create_resource(id); });
}

heddle_code heddle_delete_resource(uint64_t id) {
  return by_running_operation([&](Calls& calls) { return calls.delete_resource(id); });
}

heddle_code heddle_wait_resource(uint64_t id) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) { return calls.wait({&id, 1}, Until::all, nullptr, place); });
}

heddle_code heddle_wait_all(const uint64_t* ids, size_t count) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) {
    return ids == nullptr ? missing_ids() : calls.wait({ids, count}, Until::all, nullptr, place);
  });
}

heddle_code heddle_wait_any(const uint64_t* ids, size_t count, size_t* which) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) {
    return ids == nullptr ? missing_ids() : calls.wait({ids, count}, Until::any, which, place);
  });
}

heddle_code heddle_signal_resource(uint64_t id) {
  return by_running_operation([&](Calls& calls) { return calls.signal(id); });
}

heddle_code heddle_signal_operation(uint64_t resource, uint64_t operation) {
  return by_running_operation([&](Calls& calls) { return calls.signal_operation(resource, operation); });
}

heddle_code heddle_schedule() {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) { return calls.schedule(place); });
}

heddle_code heddle_schedule_event(heddle_event event, uint64_t id) {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) { return calls.schedule_event(event, id, place); });
}

heddle_code heddle_yield() {
  const void* const place = HEDDLE_PLACE;
  return by_running_operation([&](Calls& calls) { return calls.yield(place); });
}

heddle_code heddle_choose_boolean(bool* value) {
  const void* const place = HEDDLE_PLACE;
  uint32_t chosen = 0;
  const heddle_code code =
      by_running_operation([&](Calls& calls) { return calls.choose(2, value != nullptr ? &chosen : nullptr, place); });
  if (value != nullptr) *value = chosen != 0;
  return code;
}

heddle_code heddle_choose_integer(uint32_t bound, uint32_t* value) {
  const void* const place = HEDDLE_PLACE;
  if (value != nullptr) *value = 0;  // also if nothing is attached
  return by_running_operation([&](Calls& calls) { return calls.choose(bound, value, place); });
}

heddle_code heddle_inject_failure(bool* fails) {
  const void* const place = HEDDLE_PLACE;
  if (fails != nullptr) *fails = false;  // also if nothing is attached
  return by_running_operation([&](Calls& calls) { return calls.inject_failure(fails, place); });
}

heddle_code heddle_observe(uint64_t id, uint64_t state) {
  return by_running_operation([&](Calls& calls) { return calls.observe(id, state); });
}
