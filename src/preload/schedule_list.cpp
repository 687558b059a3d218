#include "preload/schedule_list.hpp"

#include <cstdio>

#include "base/machine.hpp"
#include "base/raw.hpp"
#include "trace/schedule.hpp"

namespace heddle::preload {

engine::ExecutionResult ScheduleList::filter(const engine::ExecutionResult& result, const engine::Finished& execution) {
  if (execution.purpose != engine::Purpose::search) return result;
  const std::string_view verdict = name(result.verdict->kind);
  char line[100];
  const int length = std::snprintf(
      line, sizeof line, "%llu %llu %016llx %.*s\n", static_cast<unsigned long long>(++number_),
      static_cast<unsigned long long>(result.steps), static_cast<unsigned long long>(hash(result.schedule)),
      static_cast<int>(verdict.size()), verdict.data());
  if (const int error = raw::write_all(descriptor_, line, static_cast<std::size_t>(length)))
    end_refused(Scarce::file, error);
  return result;
}

}  // namespace heddle::preload
