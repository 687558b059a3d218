// The alternate signal stack belongs to a thread. On the carrier all operations share one kernel thread, whose
// alternate stack is heddle's own. So each operation gets back what it set, and the kernel is not told.
// (AddressSanitizer sets one at the start of a thread, and at the thread's end unmaps whatever is then set.)
#include <signal.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(sigaltstack);

HEDDLE_EXPORT int sigaltstack(const stack_t* wanted, stack_t* old) noexcept {
  if (!is_controlled()) return real_sigaltstack(wanted, old);
  stack_t& mine = front.this_thread().signal_stack;
  const stack_t before = mine;
  if (wanted != nullptr) {
    if ((wanted->ss_flags & SS_DISABLE) != 0) {
      mine = {nullptr, SS_DISABLE, 0};
    } else if (wanted->ss_size < static_cast<std::size_t>(MINSIGSTKSZ)) {
      errno = ENOMEM;
      return -1;
    } else {
      mine = {wanted->ss_sp, 0, wanted->ss_size};
    }
  }
  if (old != nullptr) *old = before;
  return 0;
}
