#include "preload/listed.hpp"

#include <cstdio>

#include "base/raw.hpp"
#include "trace/schedule.hpp"

namespace heddle::preload {

/// One that is recorded is a repetition of one that counted.
engine::ExecutionResult Listed::run(strategy::Strategy& strategy, bool record) {
  const engine::ExecutionResult result = inner_.run(strategy, record);
  if (descriptor_ < 0 || record) return result;
  const std::string_view verdict = name(result.verdict->kind);
  char line[100];
  const int length = std::snprintf(
      line, sizeof line, "%llu %llu %016llx %.*s\n", static_cast<unsigned long long>(++number_),
      static_cast<unsigned long long>(result.steps), static_cast<unsigned long long>(hash(result.schedule)),
      static_cast<int>(verdict.size()), verdict.data());
  raw::write_all(descriptor_, line, static_cast<std::size_t>(length));
  return result;
}

}  // namespace heddle::preload
