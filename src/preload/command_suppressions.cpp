#include "preload/command_suppressions.hpp"

#include <sys/syscall.h>

#include <ctime>
#include <string>

#include "base/raw.hpp"
#include "runtime/tsan/watch.hpp"
#include "trace/file.hpp"

namespace heddle::preload {

std::uint64_t CommandSuppressions::last_race() { return runtime::watch.ignored().last(); }

void CommandSuppressions::ignore(std::uint64_t race) { runtime::watch.ignored().add(race); }

bool CommandSuppressions::is_suppressed(const Trace& trace) {
  const std::string text = to_text(trace);
  raw::syscall6(SYS_ftruncate, channel_.request.question, 0, 0, 0, 0, 0);
  raw::write_all(channel_.request.question, text.data(), text.size());
  const std::uint32_t number = channel_.asked.fetch_add(1) + 1;
  while (channel_.answered != number) {
    constexpr timespec kAMoment{0, 1'000'000};
    raw::syscall6(SYS_nanosleep, reinterpret_cast<long>(&kAMoment), 0, 0, 0, 0, 0);
  }
  return channel_.is_suppressed;
}

}  // namespace heddle::preload
