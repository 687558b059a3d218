// What the kernel offers, asked without heddle: a test is skipped because the kernel lacks something, never because
// heddle says so.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>

namespace heddle::test {

/// PAGEMAP_SCAN with write protection that lifts itself: since Linux 6.7, where userfaultfd is permitted.
inline bool kernel_scans_pages() {
  utsname name{};
  int major = 0;
  int minor = 0;
  if (uname(&name) != 0 || std::sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  if (major < 6 || (major == 6 && minor < 7)) return false;
  constexpr int kUserModeOnly = 1;
  const long faults = syscall(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly);
  if (faults >= 0) close(static_cast<int>(faults));
  return faults >= 0;
}

}  // namespace heddle::test
