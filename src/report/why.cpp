#include "report/why.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "model/dependence.hpp"
#include "model/event.hpp"
#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kSentencesMax = 2;
constexpr std::size_t kResourcesMax = 3;
constexpr std::size_t kWorkMax = 20'000'000;  // steps looked at: a few seconds

model::Event event_of(const TraceStep& step) { return {step.kind, step.resource, nullptr}; }

/// A stack overflow or an endless loop is not caused by one step between two others.
bool is_matter_of_order(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::livelock:
    case VerdictKind::stack_overflow:
    case VerdictKind::misuse:
    case VerdictKind::leaked_thread:
    case VerdictKind::diverged:
      return false;
    default:
      return true;
  }
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

class Explanation {
 public:
  explicit Explanation(const Trace& trace) : trace_(trace), words_(trace), touches_(trace.operations.size()) {
    for (std::uint32_t i = 0; i < trace.operations.size(); ++i) note(OperationId{i}, trace.operations[i].next);
    for (const TraceStep& step : trace.steps) note(step.operation, event_of(step));
  }

  /// The last few among the gaps that fit best.
  std::vector<std::string> sentences() const {
    std::vector<Gap> best;
    std::size_t work = 0;
    for (std::size_t i = 1; i < trace_.steps.size() && work < kWorkMax; ++i) {
      if (!trace_.steps[i].preempts) continue;
      Gap gap = gap_at(i);
      work += gap.next - i;
      if (gap.touched.empty() || (!best.empty() && gap.fit < best.back().fit)) continue;
      if (!best.empty() && gap.fit > best.back().fit) best.clear();
      best.push_back(std::move(gap));
      if (best.size() > kSentencesMax) best.erase(best.begin());
    }
    std::vector<std::string> said;
    for (const Gap& gap : best) said.push_back(sentence(gap));
    return said;
  }

 private:
  /// Between two steps of an operation that could have continued.
  struct Gap {
    OperationId victim = kNoOperation;
    std::size_t last = 0;  // its step before
    std::size_t next = 0;  // its step after; the number of steps if it took none
    std::set<OperationId> others;
    std::set<ResourceId> touched;  // by other operations in between
    int fit = 0;                   // how many of the steps around the gap are on resources that the others touched
  };

  /// The gap that starts where step `begin` was taken instead of one by the previous operation.
  Gap gap_at(std::size_t begin) const {
    Gap gap;
    gap.last = begin - 1;
    gap.victim = trace_.steps[gap.last].operation;
    for (gap.next = begin; gap.next < trace_.steps.size(); ++gap.next) {
      const TraceStep& step = trace_.steps[gap.next];
      if (step.operation == gap.victim) break;
      if (!concerns(step, gap.victim)) continue;
      gap.others.insert(step.operation);
      gap.touched.insert(step.resource);
    }
    gap.fit = (gap.touched.contains(trace_.steps[gap.last].resource) ? 1 : 0) +
              (gap.touched.contains(event_after(gap).resource) ? 1 : 0);
    return gap;
  }

  model::Event event_after(const Gap& gap) const {
    if (gap.next < trace_.steps.size()) return event_of(trace_.steps[gap.next]);
    return index(gap.victim) < trace_.operations.size() ? trace_.operations[index(gap.victim)].next : model::Event{};
  }

  void note(OperationId id, const model::Event& event) {
    if (index(id) < touches_.size() && event.resource != kNoResource)
      touches_[index(id)].emplace(event.resource, event.kind);
  }

  /// Could the victim have observed the order? Starts and ends of operations are not what breaks programs.
  bool concerns(const TraceStep& step, OperationId victim) const {
    if (step.resource == kNoResource || is_end_of_operation(step.resource) || index(victim) >= touches_.size())
      return false;
    const Touches& own = touches_[index(victim)];
    for (auto at = own.lower_bound({step.resource, {}}); at != own.end() && at->first == step.resource; ++at)
      if (dependent({at->second, at->first, nullptr}, event_of(step))) return true;
    return false;
  }

  bool is_end_of_operation(ResourceId id) const {
    return index(id) < trace_.resources.size() && trace_.resources[index(id)].kind == model::ResourceKind::operation;
  }

  std::string sentence(const Gap& gap) const {
    std::vector<std::string> who;
    for (const OperationId id : gap.others) who.push_back(operation_name(id));
    std::vector<std::string> what;
    for (const ResourceId id : gap.touched)
      if (what.size() < kResourcesMax) what.push_back(words_.resource_in_full(id));
    if (gap.touched.size() > kResourcesMax)
      what.push_back(std::to_string(gap.touched.size() - kResourcesMax) + " more");
    return operation_name(gap.victim) + " was preempted " + around(gap) + "; meanwhile " + joined(who) + " touched " +
           joined(what);
  }

  /// The victim's steps on both sides; it may not have reached the second.
  std::string around(const Gap& gap) const {
    const std::string from = event_at(event_of(trace_.steps[gap.last]), trace_.steps[gap.last].stack);
    if (gap.next < trace_.steps.size())
      return "between " + from + " and " + event_at(event_after(gap), trace_.steps[gap.next].stack);
    const TraceOperation& operation = trace_.operations[index(gap.victim)];
    return operation.ended ? "after " + from : "between " + from + " and " + event_at(operation.next, operation.stack);
  }

  std::string event_at(const model::Event& event, const std::vector<std::uint32_t>& stack) const {
    const std::string at = where(trace_, stack);
    return words_.event(event.kind, event.resource) + (at.empty() ? "" : " at " + at);
  }

  using Touches = std::set<std::pair<ResourceId, model::EventKind>>;

  const Trace& trace_;
  const Words words_;
  std::vector<Touches> touches_;  // indexed by operation
};

}  // namespace

std::vector<std::string> explain(const Trace& trace) {
  return is_matter_of_order(trace.verdict.kind) ? Explanation(trace).sentences() : std::vector<std::string>();
}

}  // namespace heddle::report
