#include "report/symbolizer.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "report/dwarf.hpp"
#include "trace/frames.hpp"

namespace heddle::report {
namespace {

std::vector<Place::Line> lines_of(const DebugInfo& module, const Place& place) {
  if (is_users({&place, nullptr})) return module.lines_at(place.offset);
  const std::string function = module.function_at(place.offset);  // source lines of libc are of no interest here
  return function.empty() ? std::vector<Place::Line>() : std::vector<Place::Line>{{function, "", 0}};
}

void fill_lines(Trace& trace) {
  std::map<std::string, DebugInfo> modules;
  for (Place& place : trace.places) {
    if (!place.lines.empty()) continue;
    const DebugInfo& module = modules.try_emplace(place.module, place.module).first->second;
    place.lines = lines_of(module, place);
  }
}

/// Replaces `&module+0x4010` by the variable there.
void name_variables(Trace& trace) {
  std::map<std::string, DebugInfo> modules;
  for (TraceResource& resource : trace.resources) {
    const std::size_t plus = resource.name.rfind("+0x");
    if (!resource.name.starts_with('&') || plus == std::string::npos) continue;
    const std::string path = resource.name.substr(1, plus - 1);
    const DebugInfo& module = modules.try_emplace(path, path).first->second;
    resource.name = module.variable_at(std::strtoull(resource.name.c_str() + plus + 3, nullptr, 16));
  }
}

/// The outermost function in a stack that is the user's; empty if there is none.
std::string outermost_function(const Trace& trace, const std::vector<std::uint32_t>& stack) {
  const std::vector<Frame> all = frames(trace, stack);
  const auto outermost = std::find_if(all.rbegin(), all.rend(), is_users);
  return outermost == all.rend() || !outermost->line ? std::string() : outermost->line->function;
}

void name_after(TraceOperation& operation, const Trace& trace, const std::vector<std::uint32_t>& stack) {
  if (operation.name.empty()) operation.name = outermost_function(trace, stack);
}

/// Uses an operation's first steps rather than its end, where the stack may be too deep to have been kept whole.
void name_operations(Trace& trace) {
  for (const TraceStep& step : trace.steps)
    if (index(step.operation) < trace.operations.size())
      name_after(trace.operations[index(step.operation)], trace, step.stack);
  for (TraceOperation& operation : trace.operations) name_after(operation, trace, operation.stack);
}

}  // namespace

void symbolize(Trace& trace) {
  fill_lines(trace);
  name_variables(trace);
  name_operations(trace);
}

}  // namespace heddle::report
