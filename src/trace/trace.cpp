#include "trace/trace.hpp"

namespace heddle {

std::vector<Choice> Trace::schedule() const {
  std::vector<Choice> choices;
  for (const TraceStep& step : steps) {
    if (step.bound > 1) choices.push_back(Choice::of_value(step.value));
    else if (step.is_choice) choices.push_back(Choice::of_operation(step.operation));
  }
  return choices;
}

}  // namespace heddle
