#include "trace/verdict.hpp"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(VerdictKind::kCount)> kNames = {
    "passed", "cut",      "assertion",   "aborted",       "exception",      "signal",        "stack-overflow",
    "exited", "deadlock", "lost-wakeup", "livelock",      "misuse",         "leaked-thread", "memory-error",
    "failed", "race",     "diverged",    "specification", "unhandled-event"};

}  // namespace

std::string_view name(VerdictKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

VerdictKind verdict_named(std::string_view wanted) {
  const auto found = std::find(kNames.begin(), kNames.end(), wanted);
  return static_cast<VerdictKind>(found - kNames.begin());
}

void Verdict::set_text(std::string_view text) {
  std::size_t length = std::min(text.size(), sizeof message - 1);
  if (length < text.size())
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;  // no half character
  std::replace_copy(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), message, '\n', ' ');
  message[length] = '\0';
}

bool same_failure(const Verdict& a, const Verdict& b) {
  return a.kind == b.kind && a.operation == b.operation && a.text() == b.text();
}

}  // namespace heddle
