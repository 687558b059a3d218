// Traces of every shape, from a seed: for tests that must hold for all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "trace/trace.hpp"

namespace heddle::testing {

class TraceGenerator {
 public:
  explicit TraceGenerator(std::uint64_t seed) : random_(seed) {}

  Trace trace() {
    Trace trace;
    for (std::uint32_t i = random_.below(12); i > 0; --i) trace.places.push_back(place());
    trace.operations.resize(1 + random_.below(5));
    trace.resources.resize(random_.below(8));
    for (TraceOperation& operation : trace.operations) fill(operation, trace);
    for (TraceResource& resource : trace.resources) fill(resource, trace);
    for (std::uint32_t i = random_.below(40); i > 0; --i) trace.steps.push_back(step(trace));
    for (std::uint32_t i = random_.below(4); i > 0; --i) trace.accesses.push_back(access(trace));
    for (std::uint32_t i = chance() ? random_.below(6) : 0; i > 0; --i)
      trace.notes.push_back({random_.below(count(trace.steps) + 1), operation(trace), chance() ? "sent" : "entered",
                             operation_or_none(trace), text()});
    fill(trace.header);
    trace.verdict.kind = static_cast<VerdictKind>(random_.below(static_cast<std::uint32_t>(VerdictKind::kCount)));
    trace.verdict.operation = operation_or_none(trace);
    trace.verdict.set_text(text());
    const ResourceId mentioned = resource_or_none(trace);
    if (mentioned != kNoResource)
      trace.verdict.mention = {mentioned, static_cast<std::uint16_t>(random_.below(500)),
                               static_cast<std::uint16_t>(random_.below(500))};
    return trace;
  }

  /// Words, blanks, line breaks, quotes, braces, escapes, control characters, UTF-8, bytes that are no UTF-8.
  std::string text() {
    static const std::vector<std::string> pieces = {
        "queue", "lock", " ",   "  ", "\n", "\t", "\r", "\"", "'",    "`",   "\\",   "\\n",  "\\x20", "{",    "}",
        "{1,2}", "=",    "+0x", ":",  "at", "as", "é",  "…",  "線程", "\x1", "\x7f", "\xff", "end",   "steps"};
    std::string made;
    for (std::uint32_t i = random_.below(6); i > 0; --i) made += pieces[random_.below(count(pieces))];
    return made;
  }

 private:
  template <typename Container>
  static std::uint32_t count(const Container& container) {
    return static_cast<std::uint32_t>(container.size());
  }

  bool chance() { return random_.below(2) == 0; }

  Place place() {
    Place place{text(), random_.next() >> random_.below(64), {}};
    for (std::uint32_t i = random_.below(3); i > 0; --i)
      place.lines.push_back({text(), text(), static_cast<int>(random_.below(5000))});
    return place;
  }

  std::vector<std::uint32_t> stack(const Trace& trace) {
    std::vector<std::uint32_t> made;
    if (trace.places.empty()) return made;
    for (std::uint32_t i = random_.below(20); i > 0; --i) made.push_back(random_.below(count(trace.places)));
    return made;
  }

  OperationId operation(const Trace& trace) { return OperationId{random_.below(count(trace.operations))}; }
  OperationId operation_or_none(const Trace& trace) { return chance() ? operation(trace) : kNoOperation; }
  ResourceId resource_or_none(const Trace& trace) {
    return trace.resources.empty() || chance() ? kNoResource : ResourceId{random_.below(count(trace.resources))};
  }
  model::EventKind event_kind() {
    return static_cast<model::EventKind>(random_.below(static_cast<std::uint32_t>(model::EventKind::kCount)));
  }

  void fill(TraceOperation& operation, const Trace& trace) {
    operation.parent = operation_or_none(trace);
    operation.name = text();
    operation.ended = chance();
    operation.stack = stack(trace);
    if (chance()) operation.next = {event_kind(), resource_or_none(trace), nullptr};
  }

  void fill(TraceResource& resource, const Trace& trace) {
    resource.kind =
        static_cast<model::ResourceKind>(random_.below(static_cast<std::uint32_t>(model::ResourceKind::kCount)));
    resource.name = text();
    resource.holder = operation_or_none(trace);
  }

  TraceStep step(const Trace& trace) {
    TraceStep step;
    step.operation = operation(trace);
    step.kind = event_kind();
    step.resource = resource_or_none(trace);
    step.is_choice = chance();
    step.preempts = step.is_choice && chance();
    if (step.kind == model::EventKind::choose) {
      step.bound = 1 + random_.below(5);
      step.value = random_.below(step.bound);
    }
    step.stack = stack(trace);
    return step;
  }

  TraceAccess access(const Trace& trace) {
    TraceAccess access{operation(trace),
                       static_cast<AccessKind>(random_.below(static_cast<std::uint32_t>(AccessKind::kCount))),
                       random_.below(100),
                       stack(trace),
                       {}};
    if (chance()) return access;
    access.locks.emplace();
    for (std::uint32_t i = trace.resources.empty() ? 0 : random_.below(3); i > 0; --i)
      access.locks->push_back(
          {ResourceId{random_.below(count(trace.resources))}, random_.below(count(trace.steps) + 1)});
    return access;
  }

  void fill(TraceHeader& header) {
    header.program = text();
    for (std::uint32_t i = random_.below(4); i > 0; --i) header.arguments.push_back(text());
    header.directory = text();
    header.build_id = text();
    header.exploration = text();
    header.strategy = text();
    header.seed = random_.next();
    header.execution = random_.next() >> random_.below(64);
    for (std::uint32_t i = random_.below(4); i > 0; --i) header.options.emplace_back(text(), text());
  }

  Random random_;
};

}  // namespace heddle::testing
