// Locks on files, which belong to an open file (flock, F_OFD_SETLKW) or to the process (F_SETLKW, lockf).
//
// An operation that would block stands until the kernel would grant the lock. The kernel is asked, without taking the
// lock, after every step that touches a descriptor.
#pragma once

#include <fcntl.h>

namespace heddle::runtime::io {

struct FileLock {
  int descriptor = -1;
  int flock_operation = 0;  // LOCK_SH or LOCK_EX; 0: it is a lock of a range
  int command = 0;          // F_SETLKW or F_OFD_SETLKW
  struct flock* range = nullptr;
};

/// True if the kernel would grant it now. Also true for an error, which the call itself will report.
bool is_free(const FileLock& lock);

/// True if an open file of this process holds the conflicting lock. If not, another process must release it.
bool is_held_here(const FileLock& lock);

}  // namespace heddle::runtime::io
