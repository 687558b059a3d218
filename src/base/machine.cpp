#include "base/machine.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/raw.hpp"

namespace heddle {

constinit Refusals refusals;

namespace {

RefusalHook refusal_hook = nullptr;

const char* attempt(Scarce what) {
  switch (what) {
    case Scarce::process:
      return "cannot start another process";
    case Scarce::thread:
      return "cannot start another thread";
    case Scarce::memory:
      return "cannot get more memory";
    case Scarce::descriptor:
      return "cannot open another file";
    case Scarce::file:
      return "cannot write more to a file";
  }
  return "";
}

struct Limit {
  int resource;
  const char* of;
  const char* unit;  // of the value that is printed
  std::uint64_t divisor;
  const char* option;  // of ulimit
};
constexpr Limit kProcesses = {RLIMIT_NPROC, "the limit of processes for this user", "", 1, "-u"};
constexpr Limit kAddresses = {RLIMIT_AS, "the limit of addresses for a process", " KB", 1024, "-v"};
constexpr Limit kDescriptors = {RLIMIT_NOFILE, "the limit of open files for a process", "", 1, "-n"};
constexpr Limit kFileSize = {RLIMIT_FSIZE, "the limit of the size of a file", " KB", 1024, "-f"};

bool print(const Limit& limit, char* text, std::size_t size) {
  const std::uint64_t value = limit_of(limit.resource);
  if (value == kUnlimited) return false;
  std::snprintf(text, size, "%s is %llu%s (ulimit %s)", limit.of,
                static_cast<unsigned long long>(value / limit.divisor), limit.unit, limit.option);
  return true;
}

/// The limits of the system that no process can see in its own.
const char* reason_of_system(Scarce what, int error) {
  if (error == ENFILE) return "all processes together have as many open files as the system allows (fs.file-max)";
  if (error == ENOSPC) return "there is no room left on the disk";
  if (error == EROFS) return "the file system can only be read";
  if (what == Scarce::process || what == Scarce::thread)
    if (error == EAGAIN)
      return "the container or the system allows no more (pids.max of its control group, or kernel.threads-max)";
  if (error == ENOMEM)
    return "the system has none left, or the process has as many mappings as it allows (vm.max_map_count)";
  return std::strerror(error);
}

/// libc reports the lack of memory for a new thread's stack as if no thread were left.
bool has_room_for_stack() {
  constexpr long kStack = 8l << 20;
  const long pages = raw::syscall6(SYS_mmap, 0, kStack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages < 0) return false;
  raw::syscall6(SYS_munmap, pages, kStack, 0, 0, 0, 0);
  return true;
}

/// The superuser may start any number.
bool is_limited_by_user() { return raw::syscall6(SYS_getuid, 0, 0, 0, 0, 0, 0) != 0; }

/// Which limit of the process is the cause; null: none.
const Limit* limit_behind(Scarce what, int error) {
  if (error == EMFILE) return &kDescriptors;
  if (error == EFBIG) return &kFileSize;
  if (error == ENOMEM) return &kAddresses;
  if (error != EAGAIN || (what != Scarce::process && what != Scarce::thread)) return nullptr;
  if (what == Scarce::thread && !has_room_for_stack()) return &kAddresses;
  return is_limited_by_user() ? &kProcesses : nullptr;
}

}  // namespace

std::uint64_t limit_of(int resource) {
  rlimit limit{};
  const long error = raw::syscall6(SYS_prlimit64, 0, resource, 0, reinterpret_cast<long>(&limit), 0, 0);
  return error != 0 || limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur;
}

std::size_t reservable(std::size_t wanted, unsigned share) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t limit = limit_of(RLIMIT_AS);
  return limit == kUnlimited ? wanted : std::min<std::uint64_t>(wanted, limit / share & ~(kPage - 1));
}

void describe_refusal(Scarce what, int error, char* text, std::size_t size) {
  char cause[160];
  const Limit* const limit = limit_behind(what, error);
  const bool is_limit = limit != nullptr && print(*limit, cause, sizeof cause);
  std::snprintf(text, size, "%s: %s", attempt(what), is_limit ? cause : reason_of_system(what, error));
}

void set_refusal_hook(RefusalHook hook) { refusal_hook = hook; }

void end_refused(Scarce what, int error) {
  char text[300];
  describe_refusal(what, error, text, sizeof text);
  end_refused(text);
}

void end_refused(const char* sentence) {
  if (refusal_hook != nullptr) {
    refusal_hook(sentence);
  } else {
    char line[340];
    std::snprintf(line, sizeof line, "heddle: %s.\n", sentence);
    raw::write_all(2, line, std::strlen(line));
  }
  raw::exit_process(kExitRefused);
}

}  // namespace heddle
