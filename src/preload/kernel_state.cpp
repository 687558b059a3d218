#include "preload/kernel_state.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/raw.hpp"
#include "runtime/real.hpp"

namespace heddle::preload {
namespace {

bool is_starting = true;
bool mapped_before_main = false;

std::string directory_now() {
  std::array<char, 4096> path{};
  raw::syscall6(SYS_getcwd, reinterpret_cast<long>(path.data()), path.size(), 0, 0, 0, 0);
  return path.data();
}

long mask_now() {
  const long mask = raw::syscall6(SYS_umask, 0, 0, 0, 0, 0, 0);
  raw::syscall6(SYS_umask, mask, 0, 0, 0, 0, 0);
  return mask;
}

/// Real, effective and saved user and group, and a number for the other groups.
std::array<std::uint32_t, 7> users_now() {
  std::array<std::uint32_t, 7> users{};
  const auto at = [&](std::size_t i) { return reinterpret_cast<long>(&users[i]); };
  raw::syscall6(SYS_getresuid, at(0), at(1), at(2), 0, 0, 0);
  raw::syscall6(SYS_getresgid, at(3), at(4), at(5), 0, 0, 0);
  std::array<std::uint32_t, 1024> groups{};
  const long count = raw::syscall6(SYS_getgroups, groups.size(), reinterpret_cast<long>(groups.data()), 0, 0, 0, 0);
  for (long i = 0; i < count; ++i) users[6] = users[6] * 31 + groups[static_cast<std::size_t>(i)] + 1;
  return users;
}

long open_to_read(const char* path) {
  return raw::syscall6(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

long first_number_in(const char* path) {
  const long file = open_to_read(path);
  std::array<char, 64> text{};
  raw::syscall6(SYS_read, file, reinterpret_cast<long>(text.data()), text.size() - 1, 0, 0, 0);
  raw::syscall6(SYS_close, file, 0, 0, 0, 0, 0);
  return std::atol(text.data());
}

std::size_t lines_in(const char* path) {
  const long file = open_to_read(path);
  std::array<char, 4096> buffer;
  std::size_t lines = 0;
  for (long got;
       (got = raw::syscall6(SYS_read, file, reinterpret_cast<long>(buffer.data()), buffer.size(), 0, 0, 0)) > 0;)
    lines += static_cast<std::size_t>(std::count(buffer.data(), buffer.data() + got, '\n'));
  raw::syscall6(SYS_close, file, 0, 0, 0, 0, 0);
  return lines;
}

}  // namespace

KernelState KernelState::now() {
  KernelState state;
  state.directory = directory_now();
  state.mask = mask_now();
  state.program_break = raw::syscall6(SYS_brk, 0, 0, 0, 0, 0, 0);
  state.mappings = lines_in("/proc/self/maps");
  state.pages = first_number_in("/proc/self/statm");
  state.users = users_now();
  for (int limit = 0; limit < static_cast<int>(RLIM_NLIMITS); ++limit)
    raw::syscall6(SYS_prlimit64, 0, limit, 0,
                  reinterpret_cast<long>(&state.limits[static_cast<std::size_t>(limit) * 2]), 0, 0);
  return state;
}

std::string KernelState::change_since(const KernelState& before, std::uint64_t executions) const {
  if (directory != before.directory) return "it changes its directory";
  if (mask != before.mask) return "it changes its umask";
  if (users != before.users) return "it changes its user or its groups";
  if (limits != before.limits) return "it changes its limits";
  if (mappings >= before.mappings + executions || program_break != before.program_break)
    return "it leaves memory mapped";
  return {};
}

bool has_mapped_before_main() { return mapped_before_main; }
void end_of_start() { is_starting = false; }

}  // namespace heddle::preload

using namespace heddle;

namespace {

/// Calls the kernel directly: this may run before any symbol can be looked up.
void* map_noted(void* at, std::size_t bytes, int protection, int flags, int file, long offset) {
  if (preload::is_starting && (protection & PROT_WRITE) != 0) preload::mapped_before_main = true;
  const long result =
      raw::syscall6(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection, flags, file, offset);
  if (result >= 0 || result < -4095) return reinterpret_cast<void*>(result);
  errno = static_cast<int>(-result);
  return MAP_FAILED;
}

}  // namespace

HEDDLE_EXPORT void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return map_noted(at, bytes, protection, flags, file, offset);
}
HEDDLE_EXPORT void* mmap64(void* at, std::size_t bytes, int protection, int flags, int file, off64_t offset) noexcept {
  return map_noted(at, bytes, protection, flags, file, offset);
}
