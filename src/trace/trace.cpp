#include "trace/trace.hpp"

namespace heddle {

std::string_view TraceHeader::option(std::string_view key) const {
  for (const auto& [name, value] : options)
    if (name == key) return value;
  return {};
}

std::vector<Choice> Trace::schedule() const {
  std::vector<Choice> choices;
  for (const TraceStep& step : steps) {
    if (step.bound > 1)
      choices.push_back(Choice::of_value(step.value));
    else if (step.is_choice)
      choices.push_back(Choice::of_operation(step.operation));
  }
  return choices;
}

bool Trace::has_choices_only() const { return header.option("steps") == "choices"; }

Trace trace_of_choices(const std::vector<Choice>& schedule, std::uint32_t operations) {
  Trace trace;
  trace.header.options = {{"steps", "choices"}};
  trace.operations.resize(operations);
  for (const Choice choice : schedule) {
    const std::size_t needed = choice.is_value() ? 1 : index(choice.operation()) + std::size_t{1};
    if (trace.operations.size() < needed)
      trace.operations.resize(needed);  // of a process that was lost, they are unknown
    TraceStep step;
    step.operation = choice.is_value() ? kMainOperation : choice.operation();
    step.kind = choice.is_value() ? model::EventKind::choose : model::EventKind::step;
    step.is_choice = !choice.is_value();
    step.value = choice.is_value() ? choice.value() : 0;
    step.bound = choice.is_value() ? choice.value() + 2 : 0;  // the real bound was not kept
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace heddle
