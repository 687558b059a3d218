// pthread_exit: libc unwinds the stack, runs the cleanup handlers, and jumps to the point where the thread registered
// its end.
//
// glibc's own threads register it with a longjmp buffer before they call the thread's function. C code compiled without
// exceptions registers more buffers, for pthread_cleanup_push. An operation registers its end only when it is about to
// matter, that is, before its first handler or at the end: most threads never get there. The jump goes to a frame above
// all others of the operation, so that none of them is left.
#include <pthread.h>

#include <csetjmp>

#include "base/arch/x86_64/context.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

// Part of glibc's ABI.
extern "C" {
void __pthread_register_cancel(__pthread_unwind_buf_t*);
void __pthread_register_cancel_defer(__pthread_unwind_buf_t*);
int __sigsetjmp(struct __jmp_buf_tag*, int) noexcept __attribute__((returns_twice));
void __asan_handle_no_return() __attribute__((weak));
}

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_exit);
HEDDLE_REAL(__pthread_register_cancel);
HEDDLE_REAL(__pthread_register_cancel_defer);

namespace {

Context caller;  // of prepare_exit; no other operation runs before it returns

void land() {
  __pthread_unwind_buf_t here;
  if (__sigsetjmp(reinterpret_cast<struct __jmp_buf_tag*>(here.__cancel_jmp_buf), 0) == 0) {
    real___pthread_register_cancel(&here);
    jump_to_context(caller);
  }
  front.end_thread(front.this_thread().result);
}

void prepare_exit() {
  Thread& mine = front.this_thread();
  if (mine.exit_is_prepared) return;
  mine.exit_is_prepared = true;
  Context landing;
  make_context(landing, mine.exit_stack, land);
  switch_context(caller, landing);
}

}  // namespace

HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (is_controlled()) prepare_exit();
  real___pthread_register_cancel(buffer);
}

HEDDLE_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t* buffer) {
  if (is_controlled()) prepare_exit();
  real___pthread_register_cancel_defer(buffer);
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  if (is_controlled()) {
    front.this_thread().result = result;
    prepare_exit();
  }
  if (&__asan_handle_no_return != nullptr) __asan_handle_no_return();  // the frames between are left without returning
  real_pthread_exit(result);
  __builtin_unreachable();
}
