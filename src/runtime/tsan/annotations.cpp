// The annotations that a program makes for ThreadSanitizer.
//
// Acquire, release and "happens before" are believed; so is what should be ignored. A lock of the program's own
// (__tsan_mutex_…) orders the operations that hold it. Names of external objects and of fibers are accepted and not
// used.
#include <cstddef>
#include <cstdint>

#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;

namespace {

void learn_from(const volatile void* at) {
  if (is_watched()) acquires(variable_at(at));
}
void pass_on_to(const volatile void* at) {
  if (is_watched()) releases(variable_at(at));
}
void take(const volatile void* lock) {
  if (is_watched()) acquires_lock(variable_at(lock));
}
void give_back(const volatile void* lock) {
  if (is_watched()) releases_lock(variable_at(lock));
}
void ignore(int by) {
  if (is_watched()) watch.ignore(by);
}

}  // namespace

HEDDLE_EXPORT void __tsan_acquire(void* at) { learn_from(at); }
HEDDLE_EXPORT void __tsan_release(void* at) { pass_on_to(at); }
HEDDLE_EXPORT void __tsan_ignore_thread_begin() { ignore(1); }
HEDDLE_EXPORT void __tsan_ignore_thread_end() { ignore(-1); }

HEDDLE_EXPORT void __tsan_mutex_create(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* at, unsigned flags, int) {
  constexpr unsigned kTryLockFailed = 1u << 5;
  if ((flags & kTryLockFailed) == 0) take(at);
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* at, unsigned) {
  give_back(at);
  return 1;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

HEDDLE_EXPORT void* __tsan_external_register_tag(const char*) { return nullptr; }
HEDDLE_EXPORT void __tsan_external_register_header(void*, const char*) {}
HEDDLE_EXPORT void __tsan_external_assign_tag(void*, void*) {}
HEDDLE_EXPORT void __tsan_external_read(void* at, void* place, void*) { watch.access<1, false>(at, place); }
HEDDLE_EXPORT void __tsan_external_write(void* at, void* place, void*) { watch.access<1, true>(at, place); }

HEDDLE_EXPORT void* __tsan_get_current_fiber() { return nullptr; }
HEDDLE_EXPORT void* __tsan_create_fiber(unsigned) { return nullptr; }
HEDDLE_EXPORT void __tsan_destroy_fiber(void*) {}
HEDDLE_EXPORT void __tsan_switch_to_fiber(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_set_fiber_name(void*, const char*) {}
HEDDLE_EXPORT void __tsan_flush_memory() {}

HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* at) { pass_on_to(at); }
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* at) { learn_from(at); }
HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { ignore(1); }
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { ignore(-1); }
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) { ignore(1); }
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { ignore(-1); }
HEDDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {}
HEDDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {}
HEDDLE_EXPORT void AnnotateNewMemory(const char*, int, const volatile void* at, long bytes) {
  if (is_watched() && bytes > 0)
    watch.allocated(const_cast<const void*>(at), static_cast<std::size_t>(bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void AnnotateBenignRace(const char*, int, const volatile void*, const char*) {}
HEDDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void*, std::size_t, const char*) {}
HEDDLE_EXPORT void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
HEDDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void*) {}
HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* at, std::uintptr_t) { learn_from(at); }
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* at, std::uintptr_t) { pass_on_to(at); }
HEDDLE_EXPORT void AnnotateThreadName(const char*, int, const char*) {}
HEDDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, const volatile void* at) { pass_on_to(at); }
HEDDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, const volatile void* at) { learn_from(at); }
HEDDLE_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const volatile void*, std::size_t, const char*) {}
