// Implements engine/actors.hpp: how state machines reach the execution.
#include "engine/actors.hpp"

#include "base/hash.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/order.hpp"

namespace heddle::runtime {
namespace {

using model::EventKind;

bool is_exploring() { return is_controlled(); }

/// A machine has a thread only while it has something to do. Where accesses are watched it keeps one: what is in the
/// stack of a thread would otherwise seem to be shared by all machines that have had it.
engine::StackWish late() { return {.late = !memory_is_watched}; }

OperationId create(void* (*body)(void*), void* argument) {
  const OperationId id = front.start_thread(body, argument, true, late());
  engine::Execution& execution = front.execution();
  if (id != kNoOperation && execution.is_recording()) execution.recorder()->about(execution.lifetime_id(id));
  return id;
}

model::Event sleeping() { return event(EventKind::sleep, kNoResource, nullptr); }

OperationId create_timer(void* (*body)(void*), void* argument, std::uint64_t delay_ns) {
  const OperationId id = front.start_thread(body, argument, true, late());
  if (id == kNoOperation) return id;
  engine::Scheduler& scheduler = front.scheduler();
  scheduler.make_service(id);
  scheduler.stand_blocked(id, sleeping(), scheduler.look_at_clock() + delay_ns);
  return id;
}

ResourceId add_inbox(const void* identity) {
  return front.scheduler().add_resource(model::ResourceKind::inbox, identity);
}

OperationId self() { return front.self(); }

void step(EventKind kind, ResourceId inbox, const void* place) { front.execution().step(event(kind, inbox, place)); }

void give(ResourceId inbox) { releases(inbox); }
void take(ResourceId inbox) { acquires(inbox); }

void stand(ResourceId inbox) { front.execution().step_when_woken(event(EventKind::receive, inbox, nullptr)); }

bool may_rest() { return !memory_is_watched && front.may_lose_thread(); }

void rest(ResourceId inbox) { front.execution().serve(event(EventKind::receive, inbox, nullptr), may_rest()); }

void wake(OperationId who, ResourceId inbox) {
  engine::Scheduler& scheduler = front.scheduler();
  scheduler.set_service(who, false);
  scheduler.move_on(who, event(EventKind::receive, inbox, nullptr));
}

void sleep(std::uint64_t delay_ns) {
  front.execution().serve(sleeping(), may_rest(), front.scheduler().look_at_clock() + delay_ns);
}

void stop_timer(OperationId timer) { front.scheduler().stand_blocked(timer, sleeping(), engine::kNever); }

std::uint32_t choose(std::uint32_t bound, bool is_failure) { return front.execution().choose(bound, is_failure); }

void fail(VerdictKind kind, std::string_view message) { front.execution().fail(kind, message); }

void observe(OperationId who, std::uint64_t hash) { front.scheduler().observe(who, hash); }

void touch(const void* object) {
  front.scheduler().touch_part(model::Footprint::of(object, model::ResourceKind::inbox, model::Does::writes));
}

std::uint64_t steps() { return front.scheduler().steps(); }
std::uint64_t steps_max() { return front.execution().steps_max(); }
bool is_fair() { return front.scheduler().strategy().is_fair(); }

strategy::MachinesShow machines_show() { return front.scheduler().strategy().machines_show(); }
bool is_recording() { return front.execution().is_recording(); }
void name(OperationId who, std::string_view name) { front.execution().recorder()->name(who, name); }
void note(OperationId who, std::string_view what, OperationId other, std::string_view text) {
  front.execution().recorder()->note(who, what, other, text);
}

constexpr engine::Actors kActors = {is_exploring, create,  create_timer,  add_inbox,    self,  step,
                                    give,         take,    stand,         wake,         rest,  sleep,
                                    stop_timer,   choose,  fail,          observe,      touch, steps,
                                    steps_max,    is_fair, machines_show, is_recording, name,  note};

}  // namespace
}  // namespace heddle::runtime

extern "C" const heddle::engine::Actors* heddle_actors() { return &heddle::runtime::kActors; }
