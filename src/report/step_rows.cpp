#include "report/step_rows.hpp"

#include <iterator>

#include "trace/words.hpp"

namespace heddle::report {
namespace {

std::string event_text(const Words& words, const TraceStep& step) {
  if (step.bound > 0) return "choose " + std::to_string(step.value) + " of " + std::to_string(step.bound);
  if (step.kind == model::EventKind::start) return "start";  // the row already shows which operation
  return words.event_in_full(step.kind, step.resource);
}

bool is_same(const TraceStep& a, const TraceStep& b) {
  return a.operation == b.operation && a.kind == b.kind && a.resource == b.resource && a.stack == b.stack &&
         a.bound == 0 && b.bound == 0;
}

/// How many times the steps [at, at + length) occur in a row, starting at `at`.
std::size_t repetitions(const std::vector<TraceStep>& steps, std::size_t at, std::size_t length) {
  std::size_t end = at + length;
  while (end < steps.size() && is_same(steps[end], steps[end - length])) ++end;
  return (end - at) / length;
}

struct Loop {
  std::size_t length = 1;
  std::size_t count = 1;
};

/// The loop that starts at a step: one step that occurs twice in a row, or a few that occur three times.
Loop loop_at(const std::vector<TraceStep>& steps, std::size_t at) {
  constexpr std::size_t kLengthMax = 16;
  for (std::size_t length = 1; length <= kLengthMax && at + length <= steps.size(); ++length) {
    const std::size_t count = repetitions(steps, at, length);
    if (count >= (length == 1 ? 2 : 3)) return {length, count};
  }
  return {};
}

StepRow row_of(const Trace& trace, const Words& words, std::size_t i) {
  const TraceStep& step = trace.steps[i];
  StepRow row;
  row.first = i + 1;
  row.operation = step.operation;
  if (step.preempts && i > 0) row.preempted = trace.steps[i - 1].operation;
  row.event = event_text(words, step);
  row.frame = frame_that_matters(trace, step.stack);
  return row;
}

}  // namespace

StepRows step_rows(const Trace& trace) {
  const Words words(trace);
  std::vector<StepRow> rows;
  for (std::size_t at = 0; at < trace.steps.size();) {
    const Loop loop = loop_at(trace.steps, at);
    for (std::size_t i = 0; i < loop.length; ++i) rows.push_back(row_of(trace, words, at + i));
    if (loop.length == 1) rows.back().count = loop.count;
    if (loop.length == 1 && loop.count > 1) rows.back().event += " ×" + std::to_string(loop.count);
    if (loop.length > 1) rows.back().block = loop.length;
    if (loop.length > 1) rows.back().block_count = loop.count;
    at += loop.length * loop.count;
  }
  StepRows result;
  const std::size_t left_out = rows.size() > kRowsMax ? rows.size() - kRowsMax : 0;
  result.steps_before = left_out > 0 ? rows[left_out].first - 1 : 0;
  result.rows.assign(std::make_move_iterator(rows.begin() + static_cast<std::ptrdiff_t>(left_out)),
                     std::make_move_iterator(rows.end()));
  return result;
}

}  // namespace heddle::report
