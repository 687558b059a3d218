// The user and the groups that the process acts for.
//
// The kernel keeps them for each thread. To change them for all, libc sends each thread a signal and waits until all
// have made the same call. The donors of a carrier run nothing, and their stacks belong to operations, on which no
// handler may run. All operations share the one thread that calls here, and threads that start later inherit from it:
// so a plain system call has the same effect.
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/page_vector.hpp"
#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(setuid);
HEDDLE_REAL(setgid);
HEDDLE_REAL(seteuid);
HEDDLE_REAL(setegid);
HEDDLE_REAL(setreuid);
HEDDLE_REAL(setregid);
HEDDLE_REAL(setresuid);
HEDDLE_REAL(setresgid);
HEDDLE_REAL(setgroups);
HEDDLE_REAL(initgroups);

namespace {

constexpr long kSame = -1;

PageVector<gid_t> groups;  // of initgroups

/// Where each operation has a thread of its own, libc's way works and is needed.
bool is_ours() { return is_controlled() && front.execution().executor().shares_one_thread(); }

int change(const void* place, long number, long first, long second = 0, long third = 0) {
  front.step_if_others_can(place);
  const long result = raw::syscall6(number, first, second, third, 0, 0, 0);
  if (result >= 0) return 0;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

HEDDLE_EXPORT int setuid(uid_t user) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setuid, user) : real_setuid(user);
}
HEDDLE_EXPORT int setgid(gid_t group) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setgid, group) : real_setgid(group);
}
HEDDLE_EXPORT int seteuid(uid_t user) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setresuid, kSame, user, kSame) : real_seteuid(user);
}
HEDDLE_EXPORT int setegid(gid_t group) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setresgid, kSame, group, kSame) : real_setegid(group);
}
HEDDLE_EXPORT int setreuid(uid_t real, uid_t effective) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setreuid, real, effective) : real_setreuid(real, effective);
}
HEDDLE_EXPORT int setregid(gid_t real, gid_t effective) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setregid, real, effective) : real_setregid(real, effective);
}
HEDDLE_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setresuid, real, effective, saved)
                   : real_setresuid(real, effective, saved);
}
HEDDLE_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setresgid, real, effective, saved)
                   : real_setresgid(real, effective, saved);
}
HEDDLE_EXPORT int setgroups(std::size_t count, const gid_t* given) noexcept {
  return is_ours() ? change(HEDDLE_PLACE, SYS_setgroups, static_cast<long>(count), reinterpret_cast<long>(given))
                   : real_setgroups(count, given);
}

HEDDLE_EXPORT int initgroups(const char* user, gid_t group) {
  if (!is_ours()) return real_initgroups(user, group);
  int count = 64;
  for (;;) {
    groups.reserve(static_cast<std::size_t>(count));
    int found = count;
    const bool fits = getgrouplist(user, group, groups.data(), &found) >= 0;
    if (fits) return change(HEDDLE_PLACE, SYS_setgroups, found, reinterpret_cast<long>(groups.data()));
    count = found > count ? found : 2 * count;
  }
}
