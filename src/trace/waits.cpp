#include "trace/waits.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace heddle {
namespace {

using model::Does;
using model::EventKind;
using model::Standing;

/// Does the event need the holder of its resource to release it first?
bool needs_holder(EventKind kind) { return model::row(kind).standing == Standing::until_free; }

bool takes(EventKind kind) {
  const Does does = model::row(kind).does;
  return does == Does::takes || does == Does::shares;
}

bool reads(EventKind kind) { return model::row(kind).does == Does::shares; }

/// The operation is inside a wait that another operation, or time, must end.
bool is_inside_wait(EventKind kind) {
  return model::row(kind).standing == Standing::until_woken && !model::is_pause(kind) && kind != EventKind::spin;
}

bool can_block(EventKind kind) {
  return model::row(kind).standing != Standing::never && !model::is_pause(kind) && kind != EventKind::spin;
}

bool is_deadlock(const Trace& trace) {
  return trace.verdict.kind == VerdictKind::deadlock || trace.verdict.kind == VerdictKind::lost_wakeup;
}

const TraceOperation* live(const Trace& trace, OperationId id) {
  if (index(id) >= trace.operations.size() || trace.operations[index(id)].ended) return nullptr;
  return &trace.operations[index(id)];
}

std::string waiting_text(const Words& words, const model::Event& next, OperationId self, OperationId holder) {
  if (next.kind == EventKind::join && holder != kNoOperation) return "waits for the end of " + operation_name(holder);
  if (words.resource(next.resource).empty()) return std::string("waits in ").append(name(next.kind));
  std::string text = "waits for " + words.resource_in_full(next.resource);
  if (holder == kNoOperation) return text;
  if (holder == model::kOutsideOwner) return text + ", which was locked before the exploration began";
  const std::string held = "held by " + (holder == self ? std::string("itself") : operation_name(holder)) + ")";
  if (text.back() != ')') return text + " (" + held;
  text.back() = ',';  // after the variable's name
  return text + " " + held;
}

/// Waits itself, or in a deadlock without a cycle stands where it can be blocked.
bool is_waiting_if(const Trace& trace, OperationId id, bool is_without_cycle) {
  const TraceOperation* self = live(trace, id);
  if (!self) return false;
  if (is_without_cycle && can_block(self->next.kind)) return true;
  return is_inside_wait(self->next.kind) || waits_for(trace, id) != kNoOperation;
}

}  // namespace

OperationId waits_for(const Trace& trace, OperationId id) {
  const TraceOperation* self = live(trace, id);
  if (!self || index(self->next.resource) >= trace.resources.size()) return kNoOperation;
  const OperationId holder = trace.resources[index(self->next.resource)].holder;
  if (self->next.kind == EventKind::join) return live(trace, holder) ? holder : kNoOperation;
  if (!needs_holder(self->next.kind)) return kNoOperation;
  const TraceStep* const taken = reads(self->next.kind) ? taking_step(trace, holder, self->next.resource) : nullptr;
  return taken && reads(taken->kind) ? kNoOperation : holder;  // readers do not wait for each other
}

const TraceStep* taking_step(const Trace& trace, OperationId holder, ResourceId resource) {
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step)
    if (step->operation == holder && step->resource == resource && takes(step->kind)) return &*step;
  return nullptr;
}

bool is_waiting(const Trace& trace, OperationId id) {
  return is_waiting_if(trace, id, is_deadlock(trace) && waiting_cycle(trace).empty());
}

std::string standing(const Trace& trace, const Words& words, OperationId id) {
  const TraceOperation* self = live(trace, id);
  if (!self) return "has ended";
  if (is_waiting(trace, id)) return waiting_text(words, self->next, id, waits_for(trace, id));
  if (self->next.kind == EventKind::start) return "has not started";
  return "is about to " + words.event_in_full(self->next.kind, self->next.resource);
}

std::vector<OperationId> waiting_cycle(const Trace& trace) {
  // Each operation waits for at most one: following them from each start, every operation is visited once.
  constexpr std::uint32_t kNever = 0xffff'ffffu;
  std::vector<std::uint32_t> visited_from(trace.operations.size(), kNever);
  std::optional<OperationId> on_cycle;
  for (std::uint32_t start = 0; start < trace.operations.size() && !on_cycle; ++start) {
    OperationId id{start};
    while (index(id) < trace.operations.size() && visited_from[index(id)] == kNever) {
      visited_from[index(id)] = start;
      id = waits_for(trace, id);
    }
    if (index(id) < trace.operations.size() && visited_from[index(id)] == start) on_cycle = id;
  }
  if (!on_cycle) return {};
  std::vector<OperationId> cycle = {*on_cycle};
  for (OperationId id = waits_for(trace, *on_cycle); id != *on_cycle; id = waits_for(trace, id)) cycle.push_back(id);
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

std::vector<OperationId> deadlocked(const Trace& trace) {
  std::vector<OperationId> who = waiting_cycle(trace);
  if (!who.empty()) return who;
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i)
    if (is_waiting_if(trace, OperationId{i}, is_deadlock(trace))) who.push_back(OperationId{i});
  return who;
}

std::string deadlock_sentence(const Trace& trace) {
  constexpr std::size_t kToldMax = 4;
  const Words words(trace);
  const std::vector<OperationId> who = deadlocked(trace);
  std::string text;
  for (std::size_t i = 0; i < who.size() && i < kToldMax; ++i) {
    if (i > 0) text += ", ";
    text += operation_name(who[i]) + " " + standing(trace, words, who[i]);
  }
  if (who.size() > kToldMax) text += ", and " + std::to_string(who.size() - kToldMax) + " more wait";
  return text;
}

}  // namespace heddle
