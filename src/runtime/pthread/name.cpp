// Names of threads: pthread_setname_np, and prctl, which renames the calling thread.
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/pthread/traits.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_setname_np);
HEDDLE_REAL(pthread_getname_np);

namespace {

/// A longer name is cut, as by the kernel.
void rename(OperationId id, const char* name) {
  Traits& its = traits.of(id);
  const std::size_t length = strnlen(name, kNameBytes - 1);
  std::memset(its.name, 0, sizeof its.name);
  std::memcpy(its.name, name, length);
  if (id == kMainOperation) traits.show_name(its.name);
}

}  // namespace

HEDDLE_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  const OperationId id = is_controlled() ? operation_of_thread(thread) : kNoOperation;
  if (id == kNoOperation) return real_pthread_setname_np(thread, name);
  if (std::strlen(name) >= kNameBytes) return ERANGE;
  rename(id, name);
  return 0;
}

HEDDLE_EXPORT int pthread_getname_np(pthread_t thread, char* name, std::size_t bytes) noexcept {
  const OperationId id = is_controlled() ? operation_of_thread(thread) : kNoOperation;
  if (id == kNoOperation) return real_pthread_getname_np(thread, name, bytes);
  if (bytes < kNameBytes) return ERANGE;
  std::memcpy(name, traits.of(id).name, kNameBytes);
  return 0;
}

HEDDLE_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  long argument[4];
  for (long& value : argument) value = va_arg(list, long);
  va_end(list);
  if (is_controlled() && option == PR_SET_NAME) {
    rename(front.self(), reinterpret_cast<const char*>(argument[0]));
    return 0;
  }
  if (is_controlled() && option == PR_GET_NAME) {
    std::memcpy(reinterpret_cast<char*>(argument[0]), traits.of(front.self()).name, kNameBytes);
    return 0;
  }
  const long result = raw::syscall6(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3], 0);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}
