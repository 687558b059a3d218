#include "trace/words.hpp"

#include <array>
#include <cstdint>
#include <set>

#include "trace/frames.hpp"

namespace heddle {
namespace {

using model::ResourceKind;

constexpr std::array<std::string_view, static_cast<std::size_t>(ResourceKind::kCount)> kLetters = {
    "m", "sp", "c", "rw", "s", "b", "o", "e", "f", "x", "r", "d", "signals", "children", "i"};

/// An execution has one, so its name needs no number.
bool is_one_of_a_kind(ResourceKind kind) { return kind == ResourceKind::signals || kind == ResourceKind::children; }

}  // namespace

std::string operation_name(OperationId id) { return "T" + std::to_string(index(id)); }

std::string_view letters(ResourceKind kind) { return kLetters[static_cast<std::size_t>(kind)]; }

Words::Words(const Trace& trace) : trace_(trace) {
  std::array<std::uint32_t, kLetters.size()> met{};
  std::set<OperationId> ends;
  for (const TraceResource& resource : trace.resources) {
    const bool is_end = resource.kind == ResourceKind::operation && resource.holder != kNoOperation;
    if (is_end && ends.insert(resource.holder).second) {
      resources_.push_back(operation_name(resource.holder));
    } else {
      const std::uint32_t number = ++met[static_cast<std::size_t>(resource.kind)];
      const bool is_only_one = number == 1 && is_one_of_a_kind(resource.kind);
      resources_.push_back(std::string(letters(resource.kind)) + (is_only_one ? "" : std::to_string(number)));
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
