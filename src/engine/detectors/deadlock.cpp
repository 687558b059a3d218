#include "engine/detectors/deadlock.hpp"

#include <algorithm>

#include "engine/detectors/sentence.hpp"
#include "trace/words.hpp"

namespace heddle::engine {
namespace {

using model::EventKind;
using model::Resource;
using model::ResourceKind;

constexpr std::uint32_t kListed = 6;  // operations that the sentence names; the report shows them all

void add_holder(Sentence& sentence, OperationId self, OperationId holder) {
  if (holder == model::kOutsideOwner)
    sentence.add(" (locked before the exploration began)");
  else if (holder == self)
    sentence.add(" (which it holds itself)");
  else if (holder != kNoOperation)
    sentence.add(" (held by T%u)", index(holder));
}

void add_waiting(Sentence& sentence, const Scheduler& scheduler, OperationId self) {
  const model::Event& next = scheduler.next(self);
  sentence.add("T%u waits for ", index(self));
  if (next.resource == kNoResource) {
    sentence.add(next.kind == EventKind::poll ? "one of several descriptors" : "something that nobody will do");
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
  sentence.add("%s%u", letters(resource.kind).data(), ordinal(scheduler, next.resource));
  switch (resource.kind) {
    case ResourceKind::mutex:
    case ResourceKind::spin_lock:
      add_holder(sentence, self, resource.mutex.owner());
      break;
    case ResourceKind::read_write_lock:
      if (resource.read_write_lock.readers() > 1)
        sentence.add(" (held by %u readers)", resource.read_write_lock.readers());
      else
        add_holder(sentence, self, resource.read_write_lock.holder());
      break;
    case ResourceKind::once:
      add_holder(sentence, self, resource.once.runner());
      break;
    case ResourceKind::condition:
      if (resource.condition.lost_by() != kNoOperation)
        sentence.add(", which T%u signalled at step %u, before T%u waited", index(resource.condition.lost_by()),
                     resource.condition.lost_at_step(), index(self));
      break;
    case ResourceKind::descriptor:
      sentence.add(next.kind == EventKind::file_lock          ? ", whose file another one has locked"
                   : next.kind == EventKind::descriptor_write ? " to take output"
                                                              : " to have input");
      break;
    case ResourceKind::barrier:
      sentence.add(" (%u of %u came)", resource.barrier.waiters().size(), resource.barrier.parties());
      break;
    default:
      break;
  }
}

bool waits_for_a_lost_signal(const Scheduler& scheduler, OperationId id) {
  const model::Event& next = scheduler.next(id);
  return next.kind == EventKind::wake && next.resource != kNoResource &&
         scheduler.resource(next.resource).kind == ResourceKind::condition &&
         scheduler.resource(next.resource).condition.lost_by() != kNoOperation;
}

}  // namespace

// Whoever follows the waits for more steps than there are operations goes round.
OperationId find_cycle(const Scheduler& scheduler, OperationId from) {
  OperationId at = from;
  for (std::uint32_t steps = scheduler.operation_count(); steps > 0; --steps) {
    at = blocker(scheduler, at);
    if (index(at) >= scheduler.operation_count()) return kNoOperation;  // nobody, or somebody outside
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

}  // namespace heddle::engine
