// System calls as the program's own libc would make them, bypassing every function that heddle intercepts.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "base/raw.hpp"

namespace heddle::runtime::io {

inline long as_word(long value) { return value; }
inline long as_word(std::nullptr_t) { return 0; }
inline long as_word(const volatile void* pointer) { return reinterpret_cast<long>(pointer); }

/// Returns the result, or minus errno.
template <typename... Arguments>
long kernel(long number, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 6);
  long word[6 + 1] = {as_word(arguments)...};
  return raw::syscall6(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

/// The same for a call that is repeated when a signal ends it: heddle's own clock sends some, and even a call that does
/// not wait ends so if one is due.
template <typename... Arguments>
long kernel_to_the_end(long number, Arguments... arguments) {
  long result = 0;
  do result = kernel(number, arguments...);
  while (result == -EINTR);
  return result;
}

/// Converts the result to libc's form: -1 and errno.
inline long answer(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

/// The number of ready descriptors; waits in real time, at most this long.
inline long poll_for(pollfd* wanted, std::uint32_t count, std::uint64_t nanoseconds) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  timespec time{static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
  return kernel_to_the_end(SYS_ppoll, wanted, static_cast<long>(count), &time, nullptr, 0L);  // writes what is left
}

/// The same without waiting.
inline long poll_now(pollfd* wanted, std::uint32_t count) { return poll_for(wanted, count, 0); }

inline bool is_nonblocking(int descriptor) {
  const long flags = kernel(SYS_fcntl, descriptor, F_GETFL, 0L);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

}  // namespace heddle::runtime::io
