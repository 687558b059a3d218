// A handmade trace, such as a small program would leave: two transfers between accounts, one of them preempted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::testing {

/// Builds a trace step by step; every source line becomes a place of its own.
class TraceBuilder {
 public:
  TraceBuilder& operation(std::string name, OperationId parent) {
    TraceOperation operation;
    operation.name = std::move(name);
    operation.parent = parent;
    trace_.operations.push_back(std::move(operation));
    return *this;
  }

  TraceBuilder& resource(model::ResourceKind kind, std::string name = {}, OperationId holder = kNoOperation) {
    trace_.resources.push_back({kind, std::move(name), holder});
    return *this;
  }

  /// A place in `function` at `file`:`line`; the same ones again give the same place.
  std::uint32_t place(const std::string& function, const std::string& file, int line) {
    for (std::uint32_t i = 0; i < trace_.places.size(); ++i) {
      const Place::Line& known = trace_.places[i].lines.front();
      if (known.function == function && known.file == file && known.line == line) return i;
    }
    const std::uint64_t offset = 0x1100 + 4 * static_cast<std::uint64_t>(line);
    trace_.places.push_back({"/home/ann/bank", offset, {{function, file, line}}});
    return static_cast<std::uint32_t>(trace_.places.size() - 1);
  }

  enum Mark { forced, chosen, preempting };
  TraceBuilder& step(Mark mark, std::uint32_t who, model::EventKind kind, int resource,
                     std::vector<std::uint32_t> stack) {
    TraceStep step;
    step.operation = OperationId{who};
    step.kind = kind;
    if (resource >= 0) step.resource = ResourceId{static_cast<std::uint32_t>(resource)};
    step.is_choice = mark != forced;
    step.preempts = mark == preempting;
    step.stack = std::move(stack);
    trace_.steps.push_back(std::move(step));
    return *this;
  }

  TraceBuilder& ends(std::uint32_t who) {
    trace_.operations[who].ended = true;
    return *this;
  }

  TraceBuilder& stands(std::uint32_t who, model::EventKind kind, int resource, std::vector<std::uint32_t> stack) {
    TraceOperation& operation = trace_.operations[who];
    operation.next.kind = kind;
    if (resource >= 0) operation.next.resource = ResourceId{static_cast<std::uint32_t>(resource)};
    operation.stack = std::move(stack);
    return *this;
  }

  TraceBuilder& verdict(VerdictKind kind, OperationId operation, const std::string& text) {
    trace_.verdict.kind = kind;
    trace_.verdict.operation = operation;
    trace_.verdict.set_text(text);
    return *this;
  }

  Trace& trace() { return trace_; }

 private:
  Trace trace_;
};

inline TraceHeader bank_header() {
  TraceHeader header;
  header.program = "/home/ann/bank";
  header.arguments = {"--accounts", "2", "a name with \"quotes\"\nand lines"};
  header.directory = "/home/ann";
  header.build_id = "8c1f0a6e";
  header.exploration = "Bank.Transfer";
  header.strategy = "pct:depth=3";
  header.seed = 7;
  header.execution = 41217;
  header.options = {{"spurious_wakeups", "off"}};
  return header;
}

/// `file` is the source file that its places are in.
inline Trace bank_trace(const std::string& file = "/home/ann/bank.cpp") {
  using model::EventKind;
  using model::ResourceKind;
  TraceBuilder b;
  b.operation("main", kNoOperation);
  b.operation("transfer(int, int)", kMainOperation).operation("transfer(int, int)", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::operation, "", OperationId{2});
  b.resource(ResourceKind::mutex, "from").resource(ResourceKind::mutex, "to");
  const auto main_at = [&](int line) { return b.place("main", file, line); };
  const auto at = [&](int line) {
    return std::vector<std::uint32_t>{b.place("transfer(int, int)", file, line), b.place("worker", file, 20)};
  };
  b.step(b.forced, 0, EventKind::create, 0, {main_at(27)});
  b.step(b.chosen, 0, EventKind::create, 1, {main_at(28)});
  b.step(b.preempting, 1, EventKind::start, -1, {});
  b.step(b.chosen, 1, EventKind::lock, 2, at(11));
  b.step(b.chosen, 1, EventKind::unlock, 2, at(13));
  b.step(b.preempting, 2, EventKind::start, -1, {});
  b.step(b.chosen, 2, EventKind::lock, 2, at(11));
  b.step(b.chosen, 2, EventKind::unlock, 2, at(13));
  b.step(b.forced, 2, EventKind::choose, -1, at(14));
  b.trace().steps.back().bound = 3;
  b.trace().steps.back().value = 1;
  b.step(b.chosen, 2, EventKind::lock, 3, at(15)).step(b.chosen, 2, EventKind::unlock, 3, at(17)).ends(2);
  b.step(b.chosen, 1, EventKind::lock, 3, at(15)).step(b.chosen, 1, EventKind::unlock, 3, at(17)).ends(1);
  b.step(b.forced, 0, EventKind::join, 0, {main_at(29)}).step(b.forced, 0, EventKind::join, 1, {main_at(30)});
  b.stands(0, EventKind::step, -1, {b.place("check(int)", file, 34), main_at(31)});
  b.verdict(VerdictKind::assertion, kMainOperation, "assertion `total == 100` failed at bank.cpp:34");
  b.trace().header = bank_header();
  return b.trace();
}

/// Two operations that take two locks in opposite orders.
inline Trace deadlock_trace(const std::string& file = "/home/ann/bank.cpp") {
  using model::EventKind;
  using model::ResourceKind;
  TraceBuilder b;
  b.operation("main", kNoOperation).operation("debit", kMainOperation).operation("credit", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::operation, "", OperationId{2});
  b.resource(ResourceKind::mutex, "from", OperationId{1}).resource(ResourceKind::mutex, "", OperationId{2});
  const auto at = [&](const std::string& function, int line) {
    return std::vector<std::uint32_t>{b.place(function, file, line)};
  };
  b.step(b.forced, 0, EventKind::create, 0, at("main", 27)).step(b.chosen, 0, EventKind::create, 1, at("main", 28));
  b.step(b.chosen, 1, EventKind::start, -1, {}).step(b.chosen, 1, EventKind::lock, 2, at("debit", 11));
  b.step(b.preempting, 2, EventKind::start, -1, {}).step(b.chosen, 2, EventKind::lock, 3, at("credit", 18));
  b.stands(0, EventKind::join, 0, at("main", 29));
  b.stands(1, EventKind::lock, 3, at("debit", 12)).stands(2, EventKind::lock, 2, at("credit", 19));
  b.verdict(VerdictKind::deadlock, kNoOperation, "");
  b.trace().header = bank_header();
  return b.trace();
}

}  // namespace heddle::testing
