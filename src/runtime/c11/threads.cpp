// thrd_* and tss_*. Functions on data that libc keeps per thread (thrd_current, tss_get, tss_set) need no replacement.
#include <sched.h>
#include <time.h>

#include <cstdint>

#include "runtime/c11/as_pthread.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle::runtime;

HEDDLE_REAL(thrd_create);
HEDDLE_REAL(thrd_join);
HEDDLE_REAL(thrd_detach);
HEDDLE_REAL(thrd_exit);
HEDDLE_REAL(thrd_yield);
HEDDLE_REAL(thrd_sleep);

HEDDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t body, void* argument) {
  if (!is_controlled()) return real_thrd_create(thread, body, argument);
  // An int is returned in the lower half of the register that returns a pointer; thrd_join looks only at that half.
  return as_c11(
      pthread_create(thread, nullptr, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(body)), argument));
}

HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  if (!is_controlled()) return real_thrd_join(thread, result);
  void* returned = nullptr;
  const int error = pthread_join(thread, &returned);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return as_c11(error);
}

HEDDLE_EXPORT int thrd_detach(thrd_t thread) {
  if (!is_controlled()) return real_thrd_detach(thread);
  return as_c11(pthread_detach(thread));
}

HEDDLE_EXPORT void thrd_exit(int result) {
  if (!is_controlled()) real_thrd_exit(result);
  pthread_exit(reinterpret_cast<void*>(std::intptr_t{result}));
}

HEDDLE_EXPORT void thrd_yield() {
  if (!is_controlled()) return real_thrd_yield();
  sched_yield();
}

HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  if (!is_controlled()) return real_thrd_sleep(duration, rest);
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, rest);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

// As for pthread_key_create: a key created outside an execution must be known inside it.
HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) { return as_c11(pthread_key_create(key, destructor)); }

HEDDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }
