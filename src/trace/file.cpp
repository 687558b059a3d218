#include "trace/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle {
namespace {

std::string reason(const char* what, const std::string& path, int error) {
  return std::string(what) + " " + path + ": " + std::strerror(error);
}

/// Zero, or errno.
int write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int read_whole(int descriptor, std::string& text) {
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0 ? 0 : errno;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

LoadedTrace read_trace(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {std::nullopt, reason("cannot open", path, errno)};
  std::string text;
  const int error = read_whole(descriptor, text);
  ::close(descriptor);
  if (error != 0) return {std::nullopt, reason("cannot read", path, error)};
  return parse_trace(text, path);
}

std::string write_trace(const Trace& trace, const std::string& path) {
  const std::string beside = path + ".part" + std::to_string(::getpid());
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return reason("cannot write", path, errno);
  int error = write_whole(descriptor, to_text(trace));
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(beside.c_str());
  return reason("cannot write", path, error);
}

}  // namespace heddle
