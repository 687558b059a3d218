// Locks on files, which belong to an open file (flock, F_OFD_SETLKW) or to the process (F_SETLKW, lockf).
//
// An operation that would block stands until the kernel would give it the lock: that is asked without taking it, after
// every step that touches a descriptor.
#pragma once

#include <fcntl.h>

namespace heddle::runtime::io {

struct FileLock {
  int descriptor = -1;
  int flock_operation = 0;  // LOCK_SH or LOCK_EX; 0: it is one of a range
  int command = 0;          // F_SETLKW or F_OFD_SETLKW
  struct flock* range = nullptr;
};

/// Would the kernel give it now? An error is for the call itself to tell, so then too.
bool is_free(const FileLock& lock);

/// Is what stands in the way held by an open file of this process? If not, another process must give it back.
bool is_held_here(const FileLock& lock);

}  // namespace heddle::runtime::io
