// Locks on all memory. The kernel would take them for the addresses that heddle has reserved as well, which are more
// than any machine or limit has room for. Whether memory may be swapped out changes nothing that a program can see but
// its speed, so the calls succeed and do nothing. `mlock` of the program's own memory goes to the kernel.
#include <sys/mman.h>

#include <cerrno>

#include "runtime/real.hpp"

HEDDLE_EXPORT int mlockall(int flags) noexcept {
  constexpr int kKnown = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;
  if ((flags & kKnown) != 0 && (flags & ~kKnown) == 0 && flags != MCL_ONFAULT) return 0;
  errno = EINVAL;
  return -1;
}

HEDDLE_EXPORT int munlockall() noexcept { return 0; }
