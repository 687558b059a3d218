#include "engine/detectors/deadlock.hpp"

#include <algorithm>

#include "engine/detectors/sentence.hpp"
#include "engine/execution.hpp"

namespace heddle::engine {
namespace {

using model::EventKind;
using model::Resource;
using model::ResourceKind;

constexpr std::uint32_t kListed = 6;  // operations named in the sentence; the report shows all of them

void add_holder(Sentence& sentence, OperationId self, OperationId holder) {
  if (holder == model::kOutsideOwner)
    sentence.add(" (locked before the exploration began)");
  else if (holder == self)
    sentence.add(" (which it holds itself)");
  else if (holder != kNoOperation)
    sentence.add(" (held by T%u)", index(holder));
}

/// The state of the resource, as far as it explains why no operation can go on.
void add_state(Sentence& sentence, OperationId self, const Resource& resource) {
  if (resource.kind == ResourceKind::read_write_lock && resource.read_write_lock.readers() > 1)
    sentence.add(" (held by %u readers)", resource.read_write_lock.readers());
  else if (resource.kind == ResourceKind::condition && resource.condition.lost_by() != kNoOperation)
    sentence.add(", which T%u signalled at step %u, before T%u waited", index(resource.condition.lost_by()),
                 resource.condition.lost_at_step(), index(self));
  else if (resource.kind == ResourceKind::barrier)
    sentence.add(" (%u of %u came)", resource.barrier.waiters().size(), resource.barrier.parties());
  else
    add_holder(sentence, self, resource.some_holder());
}

void add_waiting(Sentence& sentence, const Scheduler& scheduler, OperationId self) {
  const model::Event& next = scheduler.next(self);
  sentence.add("T%u waits for ", index(self));
  if (next.resource == kNoResource) {
    sentence.add(row(next.kind).of_descriptor ? "one of several descriptors" : "something that nobody will do");
    return;
  }
  const Resource& resource = scheduler.resource(next.resource);
  if (resource.kind == ResourceKind::operation) {
    sentence.add("the end of T%u", index(resource.lifetime.of()));
    return;
  }
  if (resource.kind == ResourceKind::signals) {
    sentence.add("a signal that nobody sends");
    return;
  }
  sentence.add("%s%u", row(resource.kind).letters.data(), ordinal(scheduler, next.resource));
  if (!row(next.kind).awaits.empty()) sentence.add("%s", row(next.kind).awaits.data());
  add_state(sentence, self, resource);
}

bool waits_for_a_lost_signal(const Scheduler& scheduler, OperationId id) {
  const model::Event& next = scheduler.next(id);
  return next.kind == EventKind::wake && next.resource != kNoResource &&
         scheduler.resource(next.resource).kind == ResourceKind::condition &&
         scheduler.resource(next.resource).condition.lost_by() != kNoOperation;
}

}  // namespace

// A path of waits with more steps than there are operations must be in a cycle.
OperationId find_cycle(const Scheduler& scheduler, OperationId from) {
  OperationId at = from;
  for (std::uint32_t steps = scheduler.operation_count(); steps > 0; --steps) {
    at = blocker(scheduler, at);
    if (index(at) >= scheduler.operation_count()) return kNoOperation;  // no operation, or one outside
  }
  OperationId smallest = at;
  for (OperationId next = blocker(scheduler, at); next != at; next = blocker(scheduler, next))
    smallest = std::min(smallest, next);
  return smallest;
}

Stuck explain_cycle(const Scheduler& scheduler, OperationId member) {
  Stuck stuck;
  Sentence sentence(stuck.text);
  std::uint32_t named = 0;
  OperationId id = member;
  do {
    if (named++ < kListed) {
      if (named > 1) sentence.add(", ");
      add_waiting(sentence, scheduler, id);
    }
    id = blocker(scheduler, id);
  } while (id != member);
  if (named > kListed) sentence.add(" and %u more wait", named - kListed);
  return stuck;
}

Stuck explain_stuck(const Scheduler& scheduler, bool awaits_outside) {
  Stuck stuck;
  Sentence sentence(stuck.text);
  const bool body_returned = scheduler.has_ended(kMainOperation);
  if (body_returned) sentence.add("the body returned, and ");
  bool lost = false;
  std::uint32_t named = 0;
  for (std::uint32_t i = 0; i < scheduler.operation_count(); ++i) {
    const OperationId id{i};
    if (scheduler.has_ended(id) || scheduler.is_service(id)) continue;
    lost = lost || waits_for_a_lost_signal(scheduler, id);
    if (named++ >= kListed) continue;
    if (named > 1) sentence.add(", ");
    add_waiting(sentence, scheduler, id);
  }
  if (named > kListed) sentence.add(" and %u more wait", named - kListed);
  stuck.kind = body_returned ? VerdictKind::leaked_thread : lost ? VerdictKind::lost_wakeup : VerdictKind::deadlock;
  if (awaits_outside) {
    stuck.kind = VerdictKind::cut;
    sentence.add(": nothing came from outside in %u ms", scheduler.settings().outside_wait_ms);
  }
  return stuck;
}

bool find_deadlock(Execution& execution, OperationId who) {
  const OperationId member = find_cycle(execution.scheduler(), who);
  if (member == kNoOperation) return false;
  if (who == execution.self()) execution.keep_stack();
  execution.end_with(VerdictKind::deadlock, explain_cycle(execution.scheduler(), member).text);
}

void tell_standstill(Execution& execution) {
  const Stuck why = explain_stuck(execution.scheduler(), execution.awaits_environment());
  execution.end_with(why.kind, why.text, why.kind == VerdictKind::cut ? CutReason::outside : CutReason::none);
}

}  // namespace heddle::engine
