#include "report/why.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "model/event.hpp"
#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kSentencesMax = 2;
constexpr std::size_t kResourcesMax = 3;

model::Event event_of(const TraceStep& step) { return {step.kind, step.resource, nullptr}; }

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

  std::vector<std::string> sentences() const {
    std::vector<std::string> said;
    for (std::size_t i = trace_.steps.size(); i-- > 1 && said.size() < kSentencesMax;) {
      if (!trace_.steps[i].preempts) continue;
      const std::string sentence = of_preemption(i);
      if (!sentence.empty()) said.insert(said.begin(), sentence);
    }
    return said;
  }

 private:
  /// Step `begin` went in place of the operation of the step before it.
  std::string of_preemption(std::size_t begin) const {
    const OperationId victim = trace_.steps[begin - 1].operation;
    std::size_t end = begin;
    while (end < trace_.steps.size() && trace_.steps[end].operation != victim) ++end;
    std::set<OperationId> others;
    std::set<ResourceId> touched;
    for (std::size_t i = begin; i < end; ++i) {
      if (!concerns(trace_.steps[i], victim)) continue;
      others.insert(trace_.steps[i].operation);
      touched.insert(trace_.steps[i].resource);
    }
    return touched.empty() ? "" : sentence(victim, begin - 1, end, others, touched);
  }

  void note(OperationId id, const model::Event& event) {
    if (index(id) < touches_.size() && event.resource != kNoResource)
      touches_[index(id)].emplace(event.resource, event.kind);
  }

  /// Could the victim have seen the order? Ends and beginnings of operations are not what breaks programs.
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

  std::string sentence(OperationId victim, std::size_t last, std::size_t next, const std::set<OperationId>& others,
                       const std::set<ResourceId>& touched) const {
    std::vector<std::string> who;
    for (const OperationId id : others) who.push_back(operation_name(id));
    std::vector<std::string> what;
    for (const ResourceId id : touched)
      if (what.size() < kResourcesMax) what.push_back(words_.resource_in_full(id));
    if (touched.size() > kResourcesMax) what.push_back(std::to_string(touched.size() - kResourcesMax) + " more");
    return operation_name(victim) + " was preempted " + between(victim, last, next) + "; meanwhile " + joined(who) +
           " touched " + joined(what);
  }

  /// The victim's steps around the gap; it may not have come to the second.
  std::string between(OperationId victim, std::size_t last, std::size_t next) const {
    const TraceStep& before = trace_.steps[last];
    const std::string from = event_at(event_of(before), before.stack);
    if (next < trace_.steps.size())
      return "between " + from + " and " + event_at(event_of(trace_.steps[next]), trace_.steps[next].stack);
    const TraceOperation& operation = trace_.operations[index(victim)];
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

std::vector<std::string> explain(const Trace& trace) { return Explanation(trace).sentences(); }

}  // namespace heddle::report
