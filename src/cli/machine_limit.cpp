#include "cli/machine_limit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "report/text.hpp"

namespace heddle::cli {

int granted(int result, Scarce what) {
  if (result >= 0) return result;
  char text[300];
  describe_refusal(what, errno, text, sizeof text);
  throw MachineLimit(std::string(text) + ".");
}

void need_proc() {
  if (access("/proc/self/fd", F_OK) == 0) return;
  throw MachineLimit("cannot read /proc/self: no proc file system is mounted on /proc (mount -t proc proc /proc).");
}

bool is_of_machine(int error) {
  return error == ENOSPC || error == EROFS || error == EDQUOT || error == EFBIG || error == EIO || error == EMFILE ||
         error == ENFILE;
}

std::string refused_text(const std::string& sentence, unsigned long long executions, bool may_have_found) {
  const std::string count = fmt::format("{} execution{}", report::with_commas(executions), executions == 1 ? "" : "s");
  return may_have_found ? fmt::format("{}. It stopped after {}.", sentence, count)
                        : fmt::format("{}. Nothing was found so far ({}).", sentence, count);
}

}  // namespace heddle::cli
