#include "base/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace heddle {
namespace {

constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A name beside the path that no file has. The descriptor, or -1.
int open_beside(const std::string& path, std::string& name) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    name = path + ".part" + std::to_string(::getpid()) + (i == 0 ? "" : "." + std::to_string(i));
    const int descriptor = ::open(name.c_str(), kNew, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// Gives a file that has no name yet one that no file has. Returns 0 or an errno.
int give_name(int descriptor, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int give_name_beside(int descriptor, const std::string& path, std::string& name) {
  constexpr int kTries = 100;
  int error = EEXIST;
  for (int i = 0; i < kTries && error == EEXIST; ++i) {
    name = path + ".part" + std::to_string(::getpid()) + "." + std::to_string(i);
    error = give_name(descriptor, name);
  }
  return error;
}

/// The file is whole and has the name `beside`. Now it gets its own.
int settle(const std::string& beside, const std::string& path, IfThere if_there) {
  int error = 0;
  if (if_there == IfThere::replace) {
    if (std::rename(beside.c_str(), path.c_str()) == 0) return 0;
    error = errno;
  } else if (::link(beside.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  ::unlink(beside.c_str());
  return error;
}

/// Makes the file without a name, so that a process that is killed leaves nothing. -1: not possible here.
int write_unnamed(const std::string& path, std::string_view text, IfThere if_there) {
  const int descriptor = ::open(folder_of(path).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;
  int error = write_whole(descriptor, text);
  const bool is_written = error == 0;
  std::string beside;
  if (is_written) error = give_name(descriptor, path);
  if (error == EEXIST && if_there == IfThere::replace) {
    error = give_name_beside(descriptor, path, beside);
    if (error == 0) error = settle(beside, path, if_there);
  }
  ::close(descriptor);
  if (is_written && (error == ENOENT || error == EOPNOTSUPP || error == EPERM)) return -1;  // no /proc, or no links
  return error;
}

int write_named(const std::string& path, std::string_view text, IfThere if_there) {
  std::string beside;
  const int descriptor = open_beside(path, beside);
  if (descriptor < 0) return errno;
  int error = write_whole(descriptor, text);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return settle(beside, path, if_there);
  ::unlink(beside.c_str());
  return error;
}

enum class Target { free, file, link, stream };

/// What is at the path of an output.
Target target_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return Target::stream;
  if (::lstat(path.c_str(), &status) != 0) return Target::free;
  return S_ISLNK(status.st_mode) ? Target::link : Target::file;
}

}  // namespace

int write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_new_file(const std::string& path, std::string_view text, IfThere if_there) {
  const int error = write_unnamed(path, text, if_there);
  return error < 0 ? write_named(path, text, if_there) : error;
}

int write_output(const std::string& path, std::string_view text) {
  const Target target = target_at(path);
  if (target == Target::link) return ELOOP;
  if (target != Target::stream) return write_new_file(path, text, IfThere::replace);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = write_whole(descriptor, text);
  ::close(descriptor);
  return error;
}

int open_output(const std::string& path) {
  const Target target = target_at(path);
  if (target == Target::link) return -ELOOP;
  if (target == Target::file && ::unlink(path.c_str()) != 0) return -errno;
  const int descriptor = target == Target::stream ? ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
                                                  : ::open(path.c_str(), kNew | O_APPEND, 0666);
  return descriptor < 0 ? -errno : descriptor;
}

}  // namespace heddle
