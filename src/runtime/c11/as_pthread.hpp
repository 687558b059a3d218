// C11 threads are pthreads under other names: in glibc a mtx_t is a pthread_mutex_t, a cnd_t a pthread_cond_t, a
// once_flag a pthread_once_t and a tss_t a key. But libc's mtx_lock does not call pthread_mutex_lock in a way that can
// be intercepted. So each C11 function is one of ours and calls our pthread function, which does the work.
#pragma once

#include <pthread.h>
#include <threads.h>

#include <cerrno>

namespace heddle::runtime {

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t) &&
              sizeof(once_flag) == sizeof(pthread_once_t) && sizeof(tss_t) == sizeof(pthread_key_t));

inline pthread_mutex_t* as_pthread(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
inline pthread_cond_t* as_pthread(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
inline pthread_once_t* as_pthread(once_flag* flag) { return reinterpret_cast<pthread_once_t*>(flag); }

/// The return value of a C11 function, where a pthread function returns `error`.
inline int as_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

}  // namespace heddle::runtime
