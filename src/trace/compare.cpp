#include "trace/compare.hpp"

#include <algorithm>

#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle {
namespace {

const char* const kUncontrolled =
    "The program depends on something that heddle does not control: addresses (a hash or an order of pointers), real "
    "time, input, global state left by the previous execution, or uninitialised memory.";

/// Compares file names, not paths: paths may differ between machines and copies of a tree. The name and the offset are
/// enough.
bool same_code(const Place& a, const Place& b) {
  return a.offset == b.offset && base_name(a.module) == base_name(b.module);
}

const Place* innermost(const Trace& trace, const TraceStep& step) {
  return step.stack.empty() || step.stack[0] >= trace.places.size() ? nullptr : &trace.places[step.stack[0]];
}

class Comparison {
 public:
  Comparison(const Trace& expected, const Trace& actual)
      : expected_(expected), actual_(actual), expected_words_(expected), actual_words_(actual) {}

  std::optional<Difference> first() const {
    const std::size_t common = std::min(expected_.steps.size(), actual_.steps.size());
    for (std::size_t i = 0; i < common; ++i)
      if (!same_step(i)) return at_step(i);
    if (actual_.steps.size() < expected_.steps.size()) return too_short(common);
    if (actual_.steps.size() > expected_.steps.size()) return too_long(common);
    if (!same_failure(expected_.verdict, actual_.verdict)) return other_verdict(common);
    return std::nullopt;
  }

 private:
  bool same_step(std::size_t i) const {
    const TraceStep& a = expected_.steps[i];
    const TraceStep& b = actual_.steps[i];
    return a.operation == b.operation && same_event(a, b) && a.bound == b.bound && a.is_choice == b.is_choice &&
           same_place(i);
  }

  bool same_event(const TraceStep& a, const TraceStep& b) const {
    return a.kind == b.kind && expected_words_.resource(a.resource) == actual_words_.resource(b.resource);
  }

  /// Places count as equal if either run was recorded without stacks.
  bool same_place(std::size_t i) const {
    const Place* a = innermost(expected_, expected_.steps[i]);
    const Place* b = innermost(actual_, actual_.steps[i]);
    return !a || !b || same_code(*a, *b);
  }

  Difference at_step(std::size_t i) const {
    std::string wanted = expected_words_.step(expected_.steps[i]);
    std::string got = actual_words_.step(actual_.steps[i]);
    if (wanted == got) tell_apart(i, wanted, got);
    return {i + 1, difference_text(i, wanted, got), cause_at(i)};
  }

  /// Both steps read the same although they differ: add detail.
  void tell_apart(std::size_t i, std::string& wanted, std::string& got) const {
    if (!same_place(i)) {
      wanted += " (" + where({innermost(expected_, expected_.steps[i])}) + ")";
      got += " (" + where({innermost(actual_, actual_.steps[i])}) + ")";
      return;
    }
    wanted += expected_.steps[i].is_choice ? " as one of several" : " alone";
    got += actual_.steps[i].is_choice ? " as one of several" : " alone";
  }

  static std::string difference_text(std::size_t i, const std::string& wanted, const std::string& got) {
    return "step " + std::to_string(i + 1) + ": expected " + wanted + ", got " + got;
  }

  std::string cause_at(std::size_t i) const {
    const TraceStep& a = expected_.steps[i];
    const TraceStep& b = actual_.steps[i];
    if (a.operation != b.operation) {
      return index(a.operation) >= actual_.operations.size()
                 ? operation_name(a.operation) + " was never created this time. " + kUncontrolled
                 : operation_name(a.operation) + " could not take this step. " + kUncontrolled;
    }
    if (same_event(a, b) && a.bound != b.bound)
      return "The choice has another number of outcomes this time. " + std::string(kUncontrolled);
    if (same_event(a, b) && a.is_choice != b.is_choice)
      return "Other operations could have gone at this step. " + std::string(kUncontrolled);
    return operation_name(a.operation) + " took another path before this step. " + kUncontrolled;
  }

  Difference too_short(std::size_t i) const {
    const std::string got = "the end of the execution (" + verdict_text(actual_) + ")";
    return {i + 1, difference_text(i, expected_words_.step(expected_.steps[i]), got),
            std::string("It ended too early. ") + kUncontrolled};
  }

  Difference too_long(std::size_t i) const {
    const std::string wanted = "the end of the execution (" + verdict_text(expected_) + ")";
    return {i + 1, difference_text(i, wanted, actual_words_.step(actual_.steps[i])),
            std::string("It did not end where it should. ") + kUncontrolled};
  }

  Difference other_verdict(std::size_t steps) const {
    return {steps,
            "after step " + std::to_string(steps) + ": expected " + verdict_text(expected_) + ", got " +
                verdict_text(actual_),
            std::string("The steps are the same, so the difference is in data. ") + kUncontrolled};
  }

  static std::string verdict_text(const Trace& trace) {
    std::string text(name(trace.verdict.kind));
    if (trace.verdict.operation != kNoOperation) text += " of " + operation_name(trace.verdict.operation);
    if (!trace.verdict.text().empty()) text.append(": ").append(trace.verdict.text());
    return text;
  }

  const Trace& expected_;
  const Trace& actual_;
  const Words expected_words_;
  const Words actual_words_;
};

}  // namespace

std::optional<Difference> first_difference(const Trace& expected, const Trace& actual) {
  if (expected.has_choices_only()) return std::nullopt;
  return Comparison(expected, actual).first();
}

}  // namespace heddle
