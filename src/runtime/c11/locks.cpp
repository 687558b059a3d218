// mtx_*, cnd_* and call_once.
#include "runtime/c11/as_pthread.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle::runtime;

HEDDLE_REAL(mtx_init);
HEDDLE_REAL(mtx_lock);
HEDDLE_REAL(mtx_timedlock);
HEDDLE_REAL(mtx_trylock);
HEDDLE_REAL(mtx_unlock);
HEDDLE_REAL(mtx_destroy);
HEDDLE_REAL(cnd_init);
HEDDLE_REAL(cnd_wait);
HEDDLE_REAL(cnd_timedwait);
HEDDLE_REAL(cnd_signal);
HEDDLE_REAL(cnd_broadcast);
HEDDLE_REAL(cnd_destroy);
HEDDLE_REAL(call_once);

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if (!is_controlled()) return real_mtx_init(mutex, type);
  if ((type & ~(mtx_recursive | mtx_timed)) != 0) return thrd_error;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return as_c11(pthread_mutex_init(as_pthread(mutex), &attributes));
}

HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!is_controlled()) return real_mtx_lock(mutex);
  return as_c11(pthread_mutex_lock(as_pthread(mutex)));
}

HEDDLE_EXPORT int mtx_timedlock(mtx_t* __restrict mutex, const timespec* __restrict until) {
  if (!is_controlled()) return real_mtx_timedlock(mutex, until);
  return as_c11(pthread_mutex_timedlock(as_pthread(mutex), until));
}

HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!is_controlled()) return real_mtx_trylock(mutex);
  return as_c11(pthread_mutex_trylock(as_pthread(mutex)));
}

HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!is_controlled()) return real_mtx_unlock(mutex);
  return as_c11(pthread_mutex_unlock(as_pthread(mutex)));
}

HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!is_controlled()) return real_mtx_destroy(mutex);
  pthread_mutex_destroy(as_pthread(mutex));
}

HEDDLE_EXPORT int cnd_init(cnd_t* condition) {
  if (!is_controlled()) return real_cnd_init(condition);
  return as_c11(pthread_cond_init(as_pthread(condition), nullptr));
}

HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!is_controlled()) return real_cnd_wait(condition, mutex);
  return as_c11(pthread_cond_wait(as_pthread(condition), as_pthread(mutex)));
}

HEDDLE_EXPORT int cnd_timedwait(cnd_t* __restrict condition, mtx_t* __restrict mutex,
                                const timespec* __restrict until) {
  if (!is_controlled()) return real_cnd_timedwait(condition, mutex, until);
  return as_c11(pthread_cond_timedwait(as_pthread(condition), as_pthread(mutex), until));
}

HEDDLE_EXPORT int cnd_signal(cnd_t* condition) {
  if (!is_controlled()) return real_cnd_signal(condition);
  return as_c11(pthread_cond_signal(as_pthread(condition)));
}

HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!is_controlled()) return real_cnd_broadcast(condition);
  return as_c11(pthread_cond_broadcast(as_pthread(condition)));
}

HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!is_controlled()) return real_cnd_destroy(condition);
  pthread_cond_destroy(as_pthread(condition));
}

HEDDLE_EXPORT void call_once(once_flag* flag, void (*initialise)()) {
  if (!is_controlled()) return real_call_once(flag, initialise);
  pthread_once(as_pthread(flag), initialise);
}
