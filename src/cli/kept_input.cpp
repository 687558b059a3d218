#include "cli/kept_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/machine_limit.hpp"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{50};
constexpr milliseconds kBeforeMessage{1000};
constexpr milliseconds kSilence{5000};  // after which an open pipe is taken as ended, or half of the time if less
constexpr std::size_t kBytesMax = 1ull << 30;  // they are kept in memory

class Reader {
 public:
  Reader(std::optional<Clock::time_point> until, int kept)
      : kept_(kept),
        begun_(Clock::now()),
        heard_(begun_),
        until_(until),
        silence_(until ? std::min<Clock::duration>(kSilence, (*until - begun_) / 2) : kSilence) {}

  enum class Ending { end, silence, time, room, user };

  Ending read_all(const std::function<bool()>& goes_on) {
    for (;;) {
      if (!goes_on()) return Ending::user;
      pollfd input{STDIN_FILENO, POLLIN, 0};
      if (poll(&input, 1, kTick.count()) > 0 && !read_some()) return Ending::end;
      const Clock::time_point now = Clock::now();
      if (until_ && now > *until_) return Ending::time;
      if (bytes_ > kBytesMax) return Ending::room;
      if (now - heard_ > silence_) return Ending::silence;
      if (now - heard_ > kBeforeMessage) tell();
    }
  }

  std::size_t bytes() const { return bytes_; }
  double seconds() const { return std::chrono::duration<double>(silence_).count(); }

 private:
  bool read_some() {
    const ssize_t got = read(STDIN_FILENO, buffer_.data(), buffer_.size());
    if (got <= 0) return false;
    heard_ = Clock::now();
    bytes_ += static_cast<std::size_t>(got);
    if (write(kept_, buffer_.data(), static_cast<std::size_t>(got)) != got) granted(-1, Scarce::file);
    return true;
  }

  void tell() {
    if (has_told_) return;
    has_told_ = true;
    std::fputs("heddle: waiting for the end of the standard input, a pipe: every execution reads all of it\n", stderr);
  }

  int kept_;
  Clock::time_point begun_;
  Clock::time_point heard_;  // the last byte
  std::optional<Clock::time_point> until_;
  Clock::duration silence_;
  std::size_t bytes_ = 0;
  bool has_told_ = false;
  std::array<char, 65536> buffer_;
};

void replace_input(int by) {
  granted(dup2(granted(by, Scarce::descriptor), STDIN_FILENO), Scarce::descriptor);
  close(by);
}

}  // namespace

std::string keep_input(std::optional<Clock::time_point> until, const std::function<bool()>& goes_on,
                       std::string& remark) {
  struct stat status {};
  if (isatty(STDIN_FILENO) != 0) replace_input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (fstat(STDIN_FILENO, &status) != 0 || (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode))) return {};
  const int kept = granted(memfd_create("input", MFD_CLOEXEC), Scarce::descriptor);
  Reader reader(until, kept);
  const Reader::Ending ending = reader.read_all(goes_on);
  const char* const advice = "give the program a file (`< FILE`) or nothing (`< /dev/null`)";
  if (ending == Reader::Ending::time) return fmt::format("the standard input has no end within the time: {}", advice);
  if (ending == Reader::Ending::room) return fmt::format("the standard input is longer than 1 GiB: {}", advice);
  if (ending == Reader::Ending::silence)
    remark = fmt::format(
        "the standard input stayed open and silent for {:.1f} s: executions read the {} bytes that came; {}",
        reader.seconds(), reader.bytes(), advice);
  lseek(kept, 0, SEEK_SET);
  replace_input(kept);
  return {};
}

}  // namespace heddle::cli
