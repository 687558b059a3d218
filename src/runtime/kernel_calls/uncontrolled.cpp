#include "runtime/kernel_calls/uncontrolled.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "engine/control.hpp"

namespace heddle::runtime {
namespace {

struct Named {
  long number;
  const char* name;
};

constexpr Named kMayWait[] = {
    {SYS_splice, "splice"},
    {SYS_tee, "tee"},
    {SYS_vmsplice, "vmsplice"},
    {SYS_sendfile, "sendfile"},
    {SYS_msgrcv, "msgrcv"},
    {SYS_msgsnd, "msgsnd"},
    {SYS_semop, "semop"},
    {SYS_semtimedop, "semtimedop"},
    {SYS_mq_timedreceive, "mq_timedreceive"},
    {SYS_mq_timedsend, "mq_timedsend"},
    {SYS_io_getevents, "io_getevents"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_preadv2, "preadv2"},
    {SYS_pwritev2, "pwritev2"},
    {SYS_signalfd, "signalfd"},
    {SYS_signalfd4, "signalfd4"},
    {SYS_timer_create, "timer_create"},
    {SYS_epoll_pwait2, "epoll_pwait2"},
    {449, "futex_waitv"},
    {454, "futex_wake"},
    {455, "futex_wait"},
    {456, "futex_requeue"},
};

constexpr Named kFutexOperations[] = {
    {FUTEX_WAKE_OP, "futex with FUTEX_WAKE_OP"},
    {FUTEX_LOCK_PI, "futex with FUTEX_LOCK_PI"},
    {FUTEX_LOCK_PI2, "futex with FUTEX_LOCK_PI2"},
    {FUTEX_TRYLOCK_PI, "futex with FUTEX_TRYLOCK_PI"},
    {FUTEX_UNLOCK_PI, "futex with FUTEX_UNLOCK_PI"},
    {FUTEX_WAIT_REQUEUE_PI, "futex with FUTEX_WAIT_REQUEUE_PI"},
    {FUTEX_CMP_REQUEUE_PI, "futex with FUTEX_CMP_REQUEUE_PI"},
};

template <std::size_t size>
const char* find(const Named (&names)[size], long number) {
  for (const Named& one : names)
    if (one.number == number) return one.name;
  return nullptr;
}

/// Null: it is controlled, or it does not matter.
const char* name_of(long number, const long* argument) {
  if (number == SYS_futex) return find(kFutexOperations, argument[1] & FUTEX_CMD_MASK);
  if (number == SYS_clone && (argument[0] & CLONE_THREAD) != 0) return "clone of a thread";
  return find(kMayWait, number);
}

UncontrolledCode* notes = nullptr;

}  // namespace

void keep_uncontrolled(UncontrolledCode* kept) { notes = kept; }

void note_uncontrolled(UncontrolledKind kind, const char* name, const char* module, std::uint64_t offset) {
  if (notes == nullptr) return;
  const std::uint32_t count = notes->count.load(std::memory_order_relaxed);
  const auto end = notes->places.begin() + count;
  const bool is_known = std::any_of(notes->places.begin(), end,
                                    [&](const UncontrolledPlace& one) { return std::strcmp(one.name, name) == 0; });
  if (is_known || count == notes->places.size()) return;
  UncontrolledPlace& place = notes->places[count];
  place.kind = kind;
  std::snprintf(place.name, sizeof place.name, "%s", name);
  std::snprintf(place.module, sizeof place.module, "%s", module);
  place.offset = offset;
  notes->count.store(count + 1, std::memory_order_release);
}

void note_uncontrolled(UncontrolledKind kind, const char* name, const void* place) {
  if (notes == nullptr) return;
  const engine::Uncontrolled heddle_at_work;
  Dl_info module{};
  if (dladdr(place, &module) == 0) module = {};
  const auto base = reinterpret_cast<std::uint64_t>(module.dli_fbase);
  note_uncontrolled(kind, name, module.dli_fname != nullptr ? module.dli_fname : "?",
                    reinterpret_cast<std::uint64_t>(place) - base);
}

void note_if_uncontrolled(long number, const long* argument, const void* place) {
  if (const char* const name = name_of(number, argument); name != nullptr)
    note_uncontrolled(UncontrolledKind::call, name, place);
}

}  // namespace heddle::runtime
