// Closes many descriptors at once: close_range and closefrom. Those of heddle are not among them.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/own_descriptors.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;

HEDDLE_REAL(close_range);
HEDDLE_REAL(closefrom);

namespace {

constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC: nothing is closed yet

/// Those that heddle knows are closed one by one, each as the step that it is.
void close_known(unsigned first, unsigned last) {
  const auto end = static_cast<unsigned>(descriptors.end());
  for (unsigned number = first; number <= last && number < end; ++number)
    if (kernel(SYS_fcntl, number, F_GETFD, 0L) >= 0) close(static_cast<int>(number));
}

long close_others(unsigned first, unsigned last, unsigned flags) {
  const auto own_first = static_cast<unsigned>(own_descriptors.first());
  const auto own_end = static_cast<unsigned>(own_descriptors.end());
  long result = 0;
  if (first < own_first) result = kernel(SYS_close_range, first, std::min(last, own_first - 1), flags);
  if (result == 0 && last >= own_end) result = kernel(SYS_close_range, std::max(first, own_end), last, flags);
  return result;
}

long controlled(unsigned first, unsigned last, unsigned flags) {
  if (first > last) return -EINVAL;
  if (flags == 0) close_known(first, last);
  return close_others(first, last, flags & kCloseOnExec);
}

}  // namespace

HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (!is_controlled()) return real_close_range(first, last, flags);
  return static_cast<int>(answer(controlled(first, last, static_cast<unsigned>(flags))));
}

HEDDLE_EXPORT void closefrom(int first) noexcept {
  if (!is_controlled()) return real_closefrom(first);
  controlled(static_cast<unsigned>(std::max(first, 0)), ~0u, 0);
}
