#include "preload/streams.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "base/machine.hpp"
#include "base/own_descriptors.hpp"
#include "base/raw.hpp"

namespace heddle::preload {
namespace {

constexpr std::size_t kKeptMax = 64u << 20;

std::size_t size_of(int descriptor) {
  struct stat status {};
  raw::syscall6(SYS_fstat, descriptor, reinterpret_cast<long>(&status), 0, 0, 0, 0);
  return static_cast<std::size_t>(status.st_size);
}

std::string contents(int descriptor) {
  std::string text(std::min(size_of(descriptor), kKeptMax), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const long got = raw::syscall6(SYS_pread64, descriptor, reinterpret_cast<long>(text.data() + done),
                                   static_cast<long>(text.size() - done), static_cast<long>(done), 0, 0);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

/// Both files are only appended to, so a longer file starts with the earlier contents.
void cut_back(int descriptor, const std::string& text) {
  const std::size_t size = size_of(descriptor);
  if (size == text.size()) return;
  if (size > text.size()) {
    raw::syscall6(SYS_ftruncate, descriptor, static_cast<long>(text.size()), 0, 0, 0, 0);
    return;
  }
  raw::syscall6(SYS_ftruncate, descriptor, 0, 0, 0, 0, 0);
  raw::write_all(descriptor, text.data(), text.size());
}

/// The command, which started this process, has all of them open.
void reopen_from_parent(int descriptor, int flags) {
  if (raw::syscall6(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0) >= 0) return;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", getppid(), descriptor);
  const long opened = raw::syscall6(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, 0, 0, 0);
  if (opened < 0) end_refused("cannot open a file again that the program closed: /proc is not there");
  if (opened == descriptor) return;
  own_descriptors.restore(static_cast<int>(opened), descriptor);
  raw::syscall6(SYS_close, opened, 0, 0, 0, 0, 0);
}

}  // namespace

void Streams::reopen() const {
  for (const int file : {request_.output, request_.errors, request_.results})
    reopen_from_parent(file, O_RDWR | O_APPEND);
  reopen_from_parent(request_.schedule, O_RDWR);
}

Streams::Point Streams::here() const { return {offsets_now(), output(), errors()}; }

void Streams::put_back(const Point& point) {
  cut_back(request_.output, point.output);
  cut_back(request_.errors, point.errors);
  ::heddle::preload::put_back(point.files);
}

std::string Streams::output() const { return contents(request_.output); }
std::string Streams::errors() const { return contents(request_.errors); }

}  // namespace heddle::preload
