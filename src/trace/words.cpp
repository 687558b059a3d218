#include "trace/words.hpp"

#include <array>
#include <cstdint>
#include <set>

#include "trace/frames.hpp"

namespace heddle {

using model::ResourceKind;

std::string operation_name(OperationId id) { return "T" + std::to_string(index(id)); }

Words::Words(const Trace& trace) : trace_(trace) {
  std::array<std::uint32_t, model::kResourceTable.size()> met{};
  std::set<OperationId> ends;
  for (const TraceResource& resource : trace.resources) {
    const bool is_end = resource.kind == ResourceKind::operation && resource.holder != kNoOperation;
    if (is_end && ends.insert(resource.holder).second) {
      resources_.push_back(operation_name(resource.holder));
    } else {
      const std::uint32_t number = ++met[static_cast<std::size_t>(resource.kind)];
      const bool is_only_one = number == 1 && row(resource.kind).is_only_one;
      resources_.push_back(std::string(row(resource.kind).letters) + (is_only_one ? "" : std::to_string(number)));
    }
  }
}

std::string_view Words::resource(ResourceId id) const {
  return index(id) < resources_.size() ? std::string_view(resources_[index(id)]) : std::string_view();
}

std::string Words::resource_in_full(ResourceId id) const {
  std::string text(resource(id));
  if (index(id) < trace_.resources.size() && !trace_.resources[index(id)].name.empty())
    text += " (" + trace_.resources[index(id)].name + ")";
  return text;
}

std::string Words::event(model::EventKind kind, ResourceId of) const {
  std::string text(name(kind));
  if (!resource(of).empty()) text.append(" ").append(resource(of));
  return text;
}

std::string Words::event_in_full(model::EventKind kind, ResourceId of) const {
  std::string text(name(kind));
  if (!resource(of).empty()) text.append(" ").append(resource_in_full(of));
  return text;
}

std::string Words::step(const TraceStep& step) const {
  std::string text = operation_name(step.operation) + " " + event(step.kind, step.resource);
  if (step.bound > 0) text += " =" + std::to_string(step.value) + "/" + std::to_string(step.bound);
  const std::string at = where(trace_, step.stack);
  return at.empty() ? text : text + " at " + at;
}

}  // namespace heddle
