#include "preload/descriptors.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/own_descriptors.hpp"
#include "base/raw.hpp"

namespace heddle::preload {
namespace {

struct Entry {  // as the kernel lays it out
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

const char* path_of(int descriptor, char (&path)[200]) {
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const long length = raw::syscall6(SYS_readlink, reinterpret_cast<long>(link.c_str()), reinterpret_cast<long>(path),
                                    sizeof path - 1, 0, 0, 0);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

/// Reading moves the position, which is restored; nothing else changes.
bool keeps_nothing(int descriptor) {
  struct stat status {};
  if (raw::syscall6(SYS_fstat, descriptor, reinterpret_cast<long>(&status), 0, 0, 0, 0) < 0) return true;
  if (S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode)) return true;
  const long flags = raw::syscall6(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
  return S_ISREG(status.st_mode) && (flags & O_ACCMODE) == O_RDONLY;
}

}  // namespace

std::vector<int> open_descriptors() {
  std::vector<int> found;
  const long folder = raw::syscall6(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/fd"),
                                    O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
  if (folder < 0) return found;
  alignas(Entry) char buffer[4096];
  for (long size;
       (size = raw::syscall6(SYS_getdents64, folder, reinterpret_cast<long>(buffer), sizeof buffer, 0, 0, 0)) > 0;) {
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      const int descriptor = std::atoi(entry->name);
      if (entry->name[0] != '.' && descriptor != folder && !own_descriptors.has(descriptor))
        found.push_back(descriptor);
    }
  }
  raw::syscall6(SYS_close, folder, 0, 0, 0, 0, 0);
  return found;
}

Offsets offsets_now() {
  Offsets offsets;
  for (const int descriptor : open_descriptors()) {
    if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) continue;
    const long position = raw::syscall6(SYS_lseek, descriptor, 0, SEEK_CUR, 0, 0, 0);
    if (position >= 0) offsets.push_back({descriptor, position});
  }
  return offsets;
}

void put_back(const Offsets& offsets) {
  for (const Offset& offset : offsets) raw::syscall6(SYS_lseek, offset.descriptor, offset.position, SEEK_SET, 0, 0, 0);
}

std::string shared_descriptor(const std::vector<int>& open_before) {
  for (const int descriptor : open_descriptors()) {
    char path[200];
    const bool is_new = std::find(open_before.begin(), open_before.end(), descriptor) == open_before.end();
    if (is_new && !keeps_nothing(descriptor))
      return "descriptor " + std::to_string(descriptor) + " (" + path_of(descriptor, path) + ")";
  }
  return {};
}

}  // namespace heddle::preload
