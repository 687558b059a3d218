#include "engine/detectors/deadlock.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "trace/words.hpp"

namespace heddle::engine {
namespace {

using model::EventKind;
using model::Resource;
using model::ResourceKind;

constexpr std::uint32_t kListed = 6;  // operations that the sentence names; the report shows them all

/// Appends to a text of fixed size; what does not fit is left out.
class Sentence {
 public:
  explicit Sentence(Stuck& stuck) : text_(stuck.text), size_(sizeof stuck.text) {}

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = std::vsnprintf(text_ + length_, size_ - length_, format, arguments);
    va_end(arguments);
    if (written > 0)
      length_ =
          length_ + static_cast<std::size_t>(written) < size_ ? length_ + static_cast<std::size_t>(written) : size_ - 1;
  }

 private:
  char* text_;
  std::size_t size_;
  std::size_t length_ = 0;
};

/// Its place among the resources of its kind, from 1, as the report numbers them.
unsigned ordinal(const Scheduler& scheduler, ResourceId id) {
  unsigned count = 1;
  for (std::uint32_t i = 0; i < index(id); ++i)
    count += scheduler.resource(ResourceId{i}).kind == scheduler.resource(id).kind;
  return count;
}

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
    sentence.add("something that nobody will do");
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
        add_holder(sentence, self,
                   resource.read_write_lock.readers() == 1 ? resource.read_write_lock.last_reader()
                                                           : resource.read_write_lock.writer());
      break;
    case ResourceKind::once:
      add_holder(sentence, self, resource.once.runner());
      break;
    case ResourceKind::condition:
      if (resource.condition.lost_by() != kNoOperation)
        sentence.add(" (T%u signalled it at step %llu, when nobody waited)", index(resource.condition.lost_by()),
                     static_cast<unsigned long long>(resource.condition.lost_at_step()));
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

Stuck explain_stuck(const Scheduler& scheduler) {
  Stuck stuck;
  Sentence sentence(stuck);
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
  return stuck;
}

}  // namespace heddle::engine
