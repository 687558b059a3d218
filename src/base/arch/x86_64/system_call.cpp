#include "base/arch/x86_64/system_call.hpp"

#include <cerrno>

namespace heddle::raw {

long (*through_libc)(long number, ...) = nullptr;

/// The program's errno stays as it is.
long syscall6_through_libc(long number, long a, long b, long c, long d, long e, long f) {
  const int saved = errno;
  long result = through_libc(number, a, b, c, d, e, f);
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}

}  // namespace heddle::raw
