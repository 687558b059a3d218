#include "runtime/io/file_locks.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;
using model::EventKind;

HEDDLE_REAL(flock);
HEDDLE_REAL(fcntl);
HEDDLE_REAL(fcntl64);
HEDDLE_REAL(lockf);

namespace heddle::runtime::io {
namespace {

/// The kernel's information about an open file; it lists the locks, one per line.
class Information {
 public:
  explicit Information(int descriptor) {
    std::array<char, 64> path;
    std::snprintf(path.data(), path.size(), "/proc/self/fdinfo/%d", descriptor);
    const long file = kernel(SYS_openat, long{AT_FDCWD}, path.data(), long{O_RDONLY | O_CLOEXEC});
    if (file < 0) return;
    const long got = kernel(SYS_read, file, text_.data(), static_cast<long>(text_.size() - 1));
    text_[static_cast<std::size_t>(got < 0 ? 0 : got)] = '\0';
    kernel(SYS_close, file);
  }
  bool has(const char* words) const { return std::strstr(text_.data(), words) != nullptr; }

 private:
  std::array<char, 4096> text_{};
};

/// Another operation may meanwhile have taken the lock through the same open file; trying and undoing would remove it.
bool is_flock_free(const FileLock& lock) {
  if (Information(lock.descriptor).has("FLOCK")) return true;
  if (kernel(SYS_flock, lock.descriptor, lock.flock_operation | LOCK_NB) == -EWOULDBLOCK) return false;
  kernel(SYS_flock, lock.descriptor, LOCK_UN);
  return true;
}

bool is_range_free(const FileLock& lock) {
  struct flock found = *lock.range;
  const int ask = lock.command == F_OFD_SETLKW ? F_OFD_GETLK : F_GETLK;
  return kernel(SYS_fcntl, lock.descriptor, ask, &found) != 0 || found.l_type == F_UNLCK;
}

}  // namespace

bool is_free(const FileLock& lock) { return lock.flock_operation != 0 ? is_flock_free(lock) : is_range_free(lock); }

bool is_held_here(const FileLock& lock) {
  if (lock.command == F_SETLKW) return false;
  struct stat status {};
  if (kernel(SYS_fstat, lock.descriptor, &status) != 0) return false;
  std::array<char, 64> file;  // in the kernel's format
  std::snprintf(file.data(), file.size(), " %02x:%02x:%lu ", major(status.st_dev), minor(status.st_dev),
                static_cast<unsigned long>(status.st_ino));
  for (int number = 0; number < descriptors.end(); ++number)
    if (Information(number).has(file.data())) return true;
  return false;
}

}  // namespace heddle::runtime::io

namespace {

long take(const FileLock& lock) {
  if (lock.flock_operation != 0) return kernel(SYS_flock, lock.descriptor, lock.flock_operation | LOCK_NB);
  return kernel(SYS_fcntl, lock.descriptor, lock.command == F_OFD_SETLKW ? F_OFD_SETLK : F_SETLK, lock.range);
}

bool would_block(long result) { return result == -EWOULDBLOCK || result == -EACCES; }

/// Stands until the lock can be taken. A conversion first gives up the held lock, as in the kernel.
long take_when_free(const FileLock& lock, const void* place) {
  act_on_cancel();
  descriptors.locked(lock.descriptor);
  const model::Event event{EventKind::file_lock, resource_of(lock.descriptor), place};
  Wanted wanted;
  wanted.lock = &lock;
  for (;;) {
    waiting.stand(event, wanted);
    const long result = take(lock);
    waiting.look_again();
    if (would_block(result)) continue;
    pass_knowledge(lock.descriptor, Direction::in);
    return result;
  }
}

/// One step, whatever the result.
long step_and_try(EventKind kind, int descriptor, const void* place, const FileLock& lock) {
  descriptors.locked(descriptor);
  return step_and_call({kind, resource_of(descriptor), place}, [&] {
    if (kind == EventKind::file_unlock) pass_knowledge(descriptor, Direction::out);
    const long result = take(lock);
    if (kind == EventKind::file_lock && result >= 0) pass_knowledge(descriptor, Direction::in);
    return result;
  });
}

long controlled_flock(int descriptor, int operation, const void* place) {
  const FileLock lock{descriptor, operation & ~LOCK_NB};
  const bool unlocks = lock.flock_operation == LOCK_UN;
  if (unlocks || (operation & LOCK_NB) != 0)
    return step_and_try(unlocks ? EventKind::file_unlock : EventKind::file_lock, descriptor, place, lock);
  if (lock.flock_operation != LOCK_SH && lock.flock_operation != LOCK_EX) return -EINVAL;
  return take_when_free(lock, place);
}

bool is_of_range(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

long controlled_range(int descriptor, int command, struct flock* range, const void* place) {
  if (range == nullptr) return -EFAULT;
  const bool of_file = command == F_OFD_SETLK || command == F_OFD_SETLKW;
  const FileLock lock{descriptor, 0, of_file ? F_OFD_SETLKW : F_SETLKW, range};
  const bool unlocks = range->l_type == F_UNLCK;
  if (unlocks || command == F_SETLK || command == F_OFD_SETLK)
    return step_and_try(unlocks ? EventKind::file_unlock : EventKind::file_lock, descriptor, place, lock);
  return take_when_free(lock, place);
}

}  // namespace

HEDDLE_EXPORT int flock(int descriptor, int operation) noexcept {
  if (!is_controlled()) return real_flock(descriptor, operation);
  return static_cast<int>(answer(controlled_flock(descriptor, operation, HEDDLE_CALL_PLACE)));
}

#define HEDDLE_FCNTL(function)                                                                                   \
  HEDDLE_EXPORT int function(int descriptor, int command, ...) {                                                 \
    va_list arguments;                                                                                           \
    va_start(arguments, command);                                                                                \
    void* const argument = va_arg(arguments, void*);                                                             \
    va_end(arguments);                                                                                           \
    if (!is_controlled() || !is_of_range(command)) return real_##function(descriptor, command, argument);        \
    return static_cast<int>(                                                                                     \
        answer(controlled_range(descriptor, command, static_cast<struct flock*>(argument), HEDDLE_CALL_PLACE))); \
  }
HEDDLE_FCNTL(fcntl)
HEDDLE_FCNTL(fcntl64)

HEDDLE_EXPORT int lockf(int descriptor, int command, off_t length) {
  if (!is_controlled() || command == F_TEST) return real_lockf(descriptor, command, length);
  struct flock range {};
  range.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
  range.l_whence = SEEK_CUR;
  range.l_len = length;
  const int ask = command == F_LOCK ? F_SETLKW : F_SETLK;
  return static_cast<int>(answer(controlled_range(descriptor, ask, &range, HEDDLE_CALL_PLACE)));
}
HEDDLE_EXPORT int lockf64(int descriptor, int command, off64_t length) { return lockf(descriptor, command, length); }

HEDDLE_ALIAS(__fcntl, fcntl);
