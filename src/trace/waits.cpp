#include "trace/waits.hpp"

#include <algorithm>
#include <cstdint>

namespace heddle {
namespace {

using model::Does;
using model::EventKind;
using model::Standing;

/// What its resource's holder must give up first.
bool needs_holder(EventKind kind) { return model::row(kind).standing == Standing::until_free; }

bool takes(EventKind kind) {
  const Does does = model::row(kind).does;
  return does == Does::takes || does == Does::shares;
}

bool reads(EventKind kind) { return model::row(kind).does == Does::shares; }

/// Stands inside a wait that another operation, or time, must end.
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

std::vector<OperationId> cycle_from(const Trace& trace, OperationId start) {
  std::vector<OperationId> path;
  for (OperationId id = start; id != kNoOperation; id = waits_for(trace, id)) {
    if (id == start && !path.empty()) return path;
    if (path.size() > trace.operations.size()) break;  // into a cycle that `start` is not part of
    path.push_back(id);
  }
  return {};
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
  const TraceOperation* self = live(trace, id);
  if (!self) return false;
  if (is_deadlock(trace) && can_block(self->next.kind) && waiting_cycle(trace).empty()) return true;
  return is_inside_wait(self->next.kind) || waits_for(trace, id) != kNoOperation;
}

std::string standing(const Trace& trace, const Words& words, OperationId id) {
  const TraceOperation* self = live(trace, id);
  if (!self) return "has ended";
  if (is_waiting(trace, id)) return waiting_text(words, self->next, id, waits_for(trace, id));
  if (self->next.kind == EventKind::start) return "has not started";
  return "is about to " + words.event_in_full(self->next.kind, self->next.resource);
}

std::vector<OperationId> waiting_cycle(const Trace& trace) {
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) {
    std::vector<OperationId> cycle = cycle_from(trace, OperationId{i});
    if (!cycle.empty()) return cycle;
  }
  return {};
}

std::vector<OperationId> deadlocked(const Trace& trace) {
  std::vector<OperationId> who = waiting_cycle(trace);
  if (!who.empty()) return who;
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i)
    if (is_waiting(trace, OperationId{i})) who.push_back(OperationId{i});
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
