#include "trace/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/new_file.hpp"
#include "base/printable.hpp"
#include "trace/seal.hpp"

namespace heddle {
namespace {

std::string reason(const char* what, const std::string& path, int error) {
  return printable(std::string(what) + " " + path + ": " + std::strerror(error));
}

std::string too_large(const std::string& path) {
  return printable("cannot read " + path + ": it is larger than " + std::to_string(kTraceBytesMax >> 20) +
                   " MiB, the most that a trace can have");
}

/// Zero, or errno; EFBIG if it is too large.
int read_whole(int descriptor, std::string& text) {
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0 ? 0 : errno;
    if (text.size() + static_cast<std::size_t>(got) > kTraceBytesMax) return EFBIG;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// What is wrong with it as a file, if anything.
std::string objection(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return reason("cannot read", path, errno);
  if (S_ISDIR(status.st_mode)) return reason("cannot read", path, EISDIR);
  if (!S_ISREG(status.st_mode))
    return printable("cannot read " + path + ": it is a device, a pipe or a socket; copy the trace to a file first");
  return static_cast<std::uint64_t>(status.st_size) > kTraceBytesMax ? too_large(path) : std::string();
}

}  // namespace

LoadedTrace read_trace(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return {std::nullopt, reason("cannot open", path, errno)};
  std::string wrong = objection(descriptor, path);
  std::string text;
  const int error = wrong.empty() ? read_whole(descriptor, text) : 0;
  ::close(descriptor);
  if (error != 0) wrong = error == EFBIG ? too_large(path) : reason("cannot read", path, error);
  if (!wrong.empty()) return {std::nullopt, std::move(wrong)};
  return parse_trace(text, path);
}

bool is_own(const LoadedTrace& loaded) { return is_own_seal(loaded.digest, loaded.seal); }

std::string place_of_option(const LoadedTrace& loaded, std::string_view file, std::string_view option) {
  const auto line = loaded.option_lines.find(option);
  return std::string(file) + (line == loaded.option_lines.end() ? "" : ":" + std::to_string(line->second));
}

std::string sealed_text(const Trace& trace) {
  std::string text = to_text(trace);
  const std::string seal = seal_of(text);
  return seal.empty() ? text : text + "seal " + seal + "\n";
}

std::string write_trace(const Trace& trace, const std::string& path) {
  const int error = write_new_file(path, sealed_text(trace), IfThere::replace);
  return error == 0 ? std::string() : reason("cannot write", path, error);
}

}  // namespace heddle
