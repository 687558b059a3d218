#include "runtime/misuse.hpp"

#include <link.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "engine/detectors/misuse.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime {
namespace {

using model::Misuse;
using model::Resource;
using model::ResourceKind;

/// Which operation uses an object, and how.
struct Use {
  OperationId who = kNoOperation;  // not in use
  bool waits = false;              // otherwise it holds the object
};

/// An operation that waits for a condition and will take this mutex again.
OperationId condition_waiter_with(ResourceId mutex) {
  const engine::Scheduler& scheduler = front.scheduler();
  for (std::uint32_t i = 0; i < scheduler.operation_count(); ++i) {
    const OperationId id{i};
    if (!scheduler.has_ended(id) && scheduler.next(id).kind == model::EventKind::wake &&
        front.thread(id).wait_mutex == mutex)
      return id;
  }
  return kNoOperation;
}

OperationId waiter_of(ResourceId id, const Resource& resource) {
  if (resource.standing != kNoOperation) return resource.standing;
  if (resource.kind == ResourceKind::mutex) return condition_waiter_with(id);
  const model::WaitQueue* const queue = resource.waiters();
  return queue == nullptr || queue->empty() ? kNoOperation : queue->front();
}

Use use_of(ResourceId id) {
  const Resource& resource = front.at(id);
  const OperationId holder = resource.some_holder();
  if (holder != kNoOperation) return {holder, false};
  return {waiter_of(id, resource), true};
}

const char* verb(const Use& use) { return use.waits ? "waits for" : "holds"; }

// The last thing that happened to the object at an address, packed into the table of resources: which operation acted,
// and whether it destroyed the object.
void note(const void* address, ResourceKind kind, bool destroyed) {
  front.past().set(address, kind, ResourceId{index(front.self()) * 2 + (destroyed ? 1 : 0)});
}

/// The operation that initialised (or destroyed) it, if that is what happened last.
OperationId who_did(const void* address, ResourceKind kind, bool destroyed) {
  const ResourceId last = front.past().find(address, kind);
  if (last == kNoResource || (index(last) % 2 == 1) != destroyed) return kNoOperation;
  return OperationId{index(last) / 2};
}

/// True for a global or static variable of the program or of a library.
bool is_in_static_storage(const void* address) {
  const engine::Uncontrolled heddle_at_work;
  return dl_iterate_phdr(
             [](dl_phdr_info* info, std::size_t, void* wanted) {
               const auto at = reinterpret_cast<std::uintptr_t>(wanted);
               for (int i = 0; i < info->dlpi_phnum; ++i) {
                 const ElfW(Phdr)& header = info->dlpi_phdr[i];
                 const std::uintptr_t low = info->dlpi_addr + header.p_vaddr;
                 if (header.p_type == PT_LOAD && at >= low && at < low + header.p_memsz) return 1;
               }
               return 0;
             },
             const_cast<void*>(address)) != 0;
}

}  // namespace

int misused(Misuse what, int error, const char* format, ...) {
  char sentence[200];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  engine::tell_misuse(front.execution(), what, sentence);
  return error;
}

engine::Described described(ResourceId id) { return engine::described(front.scheduler(), id); }

engine::Described doing(OperationId who, const char* does) {
  engine::Described made;
  engine::Sentence sentence(made.text);
  if (who == model::kOutsideOwner)
    sentence.add("somebody outside %s", does);
  else if (who == front.self())
    sentence.add("it %s itself", does);
  else
    sentence.add("T%u %s", index(who), does);
  return made;
}

int unlocked_by_a_stranger(ResourceId id, OperationId holder) {
  if (holder == kNoOperation)
    return misused(Misuse::unlock_unlocked, EPERM, "unlocks %s, which nobody holds", described(id).text);
  return misused(Misuse::unlock_not_owner, EPERM, "unlocks %s, which %s", described(id).text,
                 doing(holder, "holds").text);
}

void check_initialisation(const void* address, ResourceKind kind, const void* place) {
  front.step_if_others_can(place);
  const ResourceId id = front.table().find(address, kind);
  if (id == kNoResource) return;  // never used, or not since it was initialised or destroyed
  const Use use = use_of(id);
  const bool is_known = use.who != kNoOperation && use.who != model::kOutsideOwner;
  if (is_known && (use.waits || use.who != front.self())) {
    misused(Misuse::double_init, EBUSY, "initialises %s, which %s", described(id).text, doing(use.who, verb(use)).text);
    return;
  }
  const OperationId maker = who_did(address, kind, false);
  if ((maker == kNoOperation && use.who != front.self()) || !is_in_static_storage(address)) return;
  if (maker == kNoOperation)
    misused(Misuse::double_init, EBUSY, "initialises %s, which it holds itself", described(id).text);
  else
    misused(Misuse::double_init, EBUSY, "initialises %s again, which T%u did before and nobody destroyed",
            described(id).text, index(maker));
}

void note_initialisation(const void* address, ResourceKind kind) {
  front.forget(address, kind);
  note(address, kind, false);
}

void stand_before_destruction(const void* address, ResourceKind kind, const void* place) {
  const ResourceId id = front.table().find(address, kind);
  if (id == kNoResource)  // not used yet, or not since it was initialised: the step has nothing to name
    return front.step_if_others_can(place);
  front.at(id).looked_at = true;
  if (front.scheduler().enabled().size() > 1) front.execution().step({model::EventKind::destroy, id, place});
}

int check_destruction(const void* address, ResourceKind kind, bool is_destroyed) {
  if (is_destroyed) {
    used_after_destruction(address, kind);
    return 0;
  }
  const ResourceId id = front.table().find(address, kind);
  if (id == kNoResource) return 0;
  const Use use = use_of(id);
  if (use.who == kNoOperation || front.is_exiting()) return 0;  // threads may wait until process end
  return misused(Misuse::destroy_in_use, EBUSY, "destroys %s, which %s", described(id).text,
                 doing(use.who, verb(use)).text);
}

void note_destruction(const void* address, ResourceKind kind) {
  front.forget(address, kind);
  note(address, kind, true);
}

void used_after_destruction(const void* address, ResourceKind kind) {
  const OperationId destroyer = who_did(address, kind, true);
  const char* const what = row(kind).words.data();
  if (destroyer == kNoOperation)
    misused(Misuse::use_after_destroy, EINVAL, "uses a %s that was destroyed before", what);
  else if (destroyer == front.self())
    misused(Misuse::use_after_destroy, EINVAL, "uses a %s that it destroyed itself", what);
  else
    misused(Misuse::use_after_destroy, EINVAL, "uses a %s that T%u destroyed", what, index(destroyer));
}

}  // namespace heddle::runtime
