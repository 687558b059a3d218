#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/mutex.hpp"
#include "trace/file.hpp"
#include "trace/frames.hpp"
#include "trace/text.hpp"
#include "trace/words.hpp"

namespace heddle {
namespace {

/// A template's name can be megabytes long. Each of its bytes may become four, and a reader refuses lines that are too
/// long.
std::string escaped_name(std::string_view name) { return escaped(name.substr(0, kTraceLineBytesMax / 16)); }

/// Renumbers places by their first use.
class PlaceTrimmer {
 public:
  explicit PlaceTrimmer(const std::vector<Place>& all) : all_(all) {}

  void trim(std::vector<std::uint32_t>& stack) {
    if (stack.size() > kFramesMax) stack.resize(kFramesMax);
    for (std::uint32_t& at : stack) at = renumbered(at);
  }
  std::vector<Place> take_used() { return std::move(used_); }

 private:
  std::uint32_t renumbered(std::uint32_t old) {
    const auto [entry, is_new] = numbers_.try_emplace(old, static_cast<std::uint32_t>(used_.size()));
    if (is_new) used_.push_back(old < all_.size() ? all_[old] : Place{});
    return entry->second;
  }

  const std::vector<Place>& all_;
  std::vector<Place> used_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  // old to new
};

/// Takes out references to what the trace does not have.
class Repair {
 public:
  explicit Repair(Trace& trace) : trace_(trace) {}

  void all() {
    add_operations();
    for (TraceOperation& operation : trace_.operations) {
      check(operation.parent);
      check(operation.next.resource);
    }
    for (TraceResource& resource : trace_.resources)
      if (resource.holder != model::kOutsideOwner || resource.kind == model::ResourceKind::operation)
        check(resource.holder);
    for (TraceStep& step : trace_.steps) repair(step);
    for (TraceAccess& access : trace_.accesses) repair(access);
    for (TraceNote& note : trace_.notes) {
      note.step = std::min(note.step, static_cast<std::uint32_t>(trace_.steps.size()));
      if (!has(note.operation)) note.operation = kMainOperation;
      check(note.other);
    }
    keep_first_options();
    check(trace_.verdict.operation);
    check(trace_.verdict.mention.what);
    if (trace_.verdict.mention.what == kNoResource) trace_.verdict.mention = {};
  }

 private:
  bool has(OperationId id) const { return index(id) < trace_.operations.size(); }
  bool has(ResourceId id) const { return index(id) < trace_.resources.size(); }
  void check(OperationId& id) const {
    if (!has(id)) id = kNoOperation;
  }
  void check(ResourceId& id) const {
    if (!has(id)) id = kNoResource;
  }

  /// A step is always one of some operation.
  void add_operations() const {
    std::size_t needed = trace_.steps.empty() && trace_.notes.empty() ? 0 : 1;
    for (const TraceStep& step : trace_.steps)
      if (index(step.operation) < kTraceOperationsMax)
        needed = std::max<std::size_t>(needed, index(step.operation) + std::size_t{1});
    if (trace_.operations.size() < needed) trace_.operations.resize(needed);
    if (trace_.operations.size() > kTraceOperationsMax) trace_.operations.resize(kTraceOperationsMax);
  }

  void keep_first_options() const {
    std::set<std::string> seen;
    std::erase_if(trace_.header.options, [&seen](const auto& option) { return !seen.insert(option.first).second; });
  }

  void repair(TraceStep& step) const {
    if (!has(step.operation)) step.operation = kMainOperation;
    check(step.resource);
    step.bound = std::min(step.bound, kValueBoundMax);
    step.value = step.bound > 0 ? std::min(step.value, step.bound - 1) : 0;
  }

  void repair(TraceAccess& access) const {
    check(access.operation);
    if (!access.locks) return;
    std::erase_if(*access.locks, [this](const TraceLock& lock) { return !has(lock.lock); });
    for (TraceLock& lock : *access.locks)
      if (lock.step > trace_.steps.size()) lock.step = 0;
  }

  Trace& trace_;
};

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace), words_(trace) {}

  std::string text() {
    out_ = "heddle trace " + std::to_string(kTraceVersion) + "\n";
    header();
    verdict();
    accesses();
    operations();
    resources();
    steps();
    notes();
    places();
    out_ += "end " + std::to_string(trace_.steps.size()) + "\n";
    return std::move(out_);
  }

 private:
  void line(std::string_view key, std::string_view value) {
    out_ += key;
    if (!value.empty()) out_.append(" ").append(escaped(value));
    out_ += "\n";
  }

  void line_if_any(std::string_view key, std::string_view value) {
    if (!value.empty()) line(key, value);
  }

  void header() {
    const TraceHeader& header = trace_.header;
    line_if_any("program", header.program);
    for (const std::string& argument : header.arguments) line("argument", argument);
    line_if_any("directory", header.directory);
    line_if_any("build-id", header.build_id);
    line_if_any("exploration", header.exploration);
    line_if_any("strategy", header.strategy);
    line("seed", std::to_string(header.seed));
    line("execution", std::to_string(header.execution));
    for (const auto& [key, value] : header.options) option(key, value);
  }

  /// A `=` in the key is escaped, so that the first `=` separates key and value.
  void option(std::string_view key, std::string_view value) {
    out_ += "option ";
    for (const char c : escaped_word(key)) c == '=' ? out_ += "\\x3d" : out_ += c;
    out_ += "=" + escaped(value) + "\n";
  }

  void verdict() {
    const Verdict& verdict = trace_.verdict;
    out_.append("verdict ").append(name(verdict.kind)).append(" ");
    out_ += verdict.operation == kNoOperation ? "-" : operation_name(verdict.operation);
    if (!verdict.text().empty()) out_ += " " + escaped(verdict.text());
    if (verdict.mention.what != kNoResource) {
      out_.append("\nmention ").append(words_.resource(verdict.mention.what));
      out_ += " " + std::to_string(verdict.mention.at) + " " + std::to_string(verdict.mention.length);
    }
    out_ += "\n";
  }

  void stack(std::span<const std::uint32_t> places) {
    out_ += "{";
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i > 0) out_ += ",";
      out_ += std::to_string(places[i]);
    }
    out_ += "}";
  }

  void named(std::string_view name) {
    if (!name.empty()) out_ += " as " + escaped_name(name);
    out_ += "\n";
  }

  void accesses() {
    for (const TraceAccess& access : trace_.accesses) {
      const bool is_known = access.operation != kNoOperation;
      out_ += "access " + (is_known ? operation_name(access.operation) : "-") + " ";
      out_ += row(access.what).name;
      out_ += " " + std::to_string(access.bytes) + " ";
      stack(access.stack);
      if (access.locks) locks(*access.locks);
      out_ += "\n";
    }
  }

  /// ` holding m2@17 m1@12`: locks taken in steps 17 and 12.
  void locks(std::span<const TraceLock> held) {
    out_ += " holding";
    for (const TraceLock& lock : held)
      out_.append(" ").append(words_.resource(lock.lock)).append("@").append(std::to_string(lock.step));
  }

  void operations() {
    out_ += "\noperations\n";
    for (std::uint32_t i = 0; i < trace_.operations.size(); ++i) operation(i, trace_.operations[i]);
  }

  void operation(std::uint32_t id, const TraceOperation& operation) {
    out_ += "  " + operation_name(OperationId{id});
    if (operation.parent != kNoOperation) out_ += " from " + operation_name(operation.parent);
    if (operation.ended) out_ += " ended";
    const bool says_next = operation.next.kind != model::EventKind::step || operation.next.resource != kNoResource;
    if (!operation.ended || says_next) out_ += " before " + words_.event(operation.next.kind, operation.next.resource);
    if (!operation.stack.empty()) {
      out_ += " ";
      stack(operation.stack);
    }
    named(operation.name);
  }

  void resources() {
    out_ += "\nresources\n";
    for (std::uint32_t i = 0; i < trace_.resources.size(); ++i) {
      const TraceResource& resource = trace_.resources[i];
      out_.append("  ").append(words_.resource(ResourceId{i})).append(" ").append(name(resource.kind));
      if (resource.holder == model::kOutsideOwner)
        out_ += " held outside";
      else if (resource.holder != kNoOperation)
        out_ +=
            (resource.kind == model::ResourceKind::operation ? " of " : " held by ") + operation_name(resource.holder);
      named(resource.name);
    }
  }

  void steps() {
    out_ += "\nsteps\n";
    const std::size_t width = std::to_string(trace_.steps.size()).size();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      out_.append("  ").append(width - number.size(), ' ').append(number);
      step(trace_.steps[i]);
    }
  }

  void step(const TraceStep& step) {
    out_ += step.preempts ? " ! " : step.is_choice ? " * " : "   ";
    out_.append(operation_name(step.operation)).append(" ").append(name(step.kind));
    if (step.bound > 0) out_ += " =" + std::to_string(step.value) + "/" + std::to_string(step.bound);
    if (step.resource != kNoResource) out_ += " " + escaped_name(words_.resource_in_full(step.resource));
    const std::string at = where(trace_, step.stack);
    if (!at.empty()) out_ += " at " + escaped_name(at);
    out_ += " ";
    stack(step.stack);
    out_ += "\n";
  }

  /// `17 T3 sent T5 Prepare`; without notes there is no section.
  void notes() {
    if (!trace_.notes.empty()) out_ += "\nnotes\n";
    for (const TraceNote& note : trace_.notes) {
      out_ += "  " + std::to_string(note.step) + " " + operation_name(note.operation) + " " + escaped_word(note.what);
      out_ += note.other == kNoOperation ? " -" : " " + operation_name(note.other);
      if (!note.text.empty()) out_ += " " + escaped_name(note.text);
      out_ += "\n";
    }
  }

  void places() {
    out_ += "\nplaces\n";
    for (std::size_t i = 0; i < trace_.places.size(); ++i) {
      char offset[16];
      const auto end = std::to_chars(offset, offset + sizeof offset, trace_.places[i].offset, 16).ptr;
      out_ +=
          "  " + std::to_string(i) + " " + escaped(trace_.places[i].module) + "+0x" + std::string(offset, end) + "\n";
      for (const Place::Line& line : trace_.places[i].lines) source_line(line);
    }
  }

  void source_line(const Place::Line& line) {
    out_ += "      " + escaped_word(line.file) + ":" + std::to_string(line.line);
    if (!line.function.empty()) out_ += " " + escaped_name(line.function);
    out_ += "\n";
  }

  const Trace& trace_;
  const Words words_;
  std::string out_;
};

}  // namespace

Trace trimmed(const Trace& trace) {
  Trace copy = trace;
  PlaceTrimmer trimmer(trace.places);
  for (TraceStep& step : copy.steps) trimmer.trim(step.stack);
  for (TraceOperation& operation : copy.operations) trimmer.trim(operation.stack);
  for (TraceAccess& access : copy.accesses) trimmer.trim(access.stack);
  copy.places = trimmer.take_used();
  Repair(copy).all();
  return copy;
}

std::string to_text(const Trace& trace) { return Writer(trimmed(trace)).text(); }

}  // namespace heddle
