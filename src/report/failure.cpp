#include "report/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/printable.hpp"
#include "report/chart.hpp"
#include "report/interleaving.hpp"
#include "report/printable_trace.hpp"
#include "report/source.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"
#include "report/why.hpp"
#include "trace/frames.hpp"
#include "trace/waits.hpp"
#include "trace/words.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kChartRows = 60;    // of machines, in place of the steps
constexpr std::size_t kFramesOfOne = 12;  // of the operation that failed
constexpr std::size_t kFramesOfMany = 6;  // of each operation, if several are to blame
constexpr std::size_t kOperationsMany = 4;
constexpr std::size_t kStandingMost = 12;  // operations whose last position is shown
constexpr std::size_t kFunctionMost = 44;

bool is_deadlock(VerdictKind kind) { return kind == VerdictKind::deadlock || kind == VerdictKind::lost_wakeup; }

std::string kind_in_words(VerdictKind kind) {
  if (kind == VerdictKind::lost_wakeup) return "lost wake-up";
  std::string words(name(kind));
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

/// For the other kinds, the message itself says what happened.
bool needs_its_kind(VerdictKind kind) { return is_deadlock(kind) || kind == VerdictKind::livelock; }

const TraceOperation* failing_operation(const Trace& trace) {
  const std::uint32_t id = index(trace.verdict.operation);
  return id < trace.operations.size() ? &trace.operations[id] : nullptr;
}

Frame failing_frame(const Trace& trace) {
  const TraceOperation* operation = failing_operation(trace);
  const Frame frame = operation ? frame_that_matters(trace, operation->stack) : Frame{};
  const bool is_in_exit = trace.verdict.kind == VerdictKind::exited && !is_users(frame);  // libc's end of the program
  return is_in_exit ? Frame{} : frame;
}

/// The operations to blame: the one that failed, or those that wait for each other.
std::vector<OperationId> culprits(const Trace& trace) {
  if (!is_deadlock(trace.verdict.kind)) {
    return failing_operation(trace) ? std::vector{trace.verdict.operation} : std::vector<OperationId>();
  }
  std::vector<OperationId> who = deadlocked(trace);
  if (who.size() > kOperationsMany) who.resize(kOperationsMany);
  return who;
}

/// The message, naming things as the program does rather than `variable x1`.
std::string message_with_names(const Trace& trace) {
  std::string text(trace.verdict.text());
  const Mention& mention = trace.verdict.mention;
  const std::uint32_t what = index(mention.what);
  if (what >= trace.resources.size() || trace.resources[what].name.empty() || mention.at > text.size()) return text;
  return text.replace(mention.at, mention.length, trace.resources[what].name);
}

class FailureReport {
 public:
  FailureReport(const Trace& trace, const FailureOptions& options)
      : trace_(trace), options_(options), paint_(options.color), words_(trace) {}

  std::string text() {
    std::string out = headline();
    for (const std::string& part : {failing_lines(), steps(), standings(), stacks(), reasons() + next_actions()})
      if (!part.empty()) out += "\n" + part;
    return out;
  }

 private:
  std::string headline() const {
    std::string line = paint_.bad(heading()) + " " + paint_.bold(verdict_sentence(trace_));
    if (options_.confirmed) line += " (seen twice, same schedule)";
    return line + "\n";
  }

  std::string heading() const {
    if (trace_.verdict.kind == VerdictKind::diverged) return "NOT DETERMINISTIC:";
    if (!trace_.verdict.is_failure()) return "NO BUG:";
    if (options_.occasion == Occasion::replayed) return "BUG again:";
    const std::uint64_t execution = trace_.header.execution;
    if (execution == 0) return "BUG:";
    if (execution == 1) return "BUG in the first execution:";
    const bool is_old = options_.occasion == Occasion::shown;
    return fmt::format("BUG {} {} executions:", is_old ? "found after" : "after", with_commas(execution));
  }

  /// The line that failed, with its neighbours.
  std::string failing_lines() {
    const Frame frame = failing_frame(trace_);
    if (!frame.line || source_.line(frame.line->file, frame.line->line).empty()) return {};
    std::string out;
    for (int number = frame.line->line - 1; number <= frame.line->line + 1; ++number) {
      const std::string code = source_.raw_line(frame.line->file, number);
      const bool is_it = number == frame.line->line;
      if (code.empty() && !is_it) continue;
      const std::string line = cut(fmt::format("  {} {:>5} │ {}", is_it ? "→" : " ", number, code), width());
      out += (is_it ? line : paint_.dim(line)) + "\n";
    }
    return out;
  }

  std::string steps() {
    if (has_chart(trace_)) return chart_text(trace_, paint_, width(), kChartRows);
    return interleaving(trace_, source_, paint_, width());
  }

  /// What every operation was doing at the end.
  std::string standings() const {
    std::vector<OperationId> told;
    std::size_t ended = 0;
    std::size_t title_width = 0;
    for (std::uint32_t i = 0; i < trace_.operations.size(); ++i) {
      const bool has_ended = trace_.operations[i].ended && OperationId{i} != trace_.verdict.operation;
      ended += has_ended ? 1 : 0;
      if (has_ended || told.size() == kStandingMost) continue;
      told.push_back(OperationId{i});
      title_width = std::max(title_width, columns(operation_title(trace_, OperationId{i})));
    }
    if (told.empty()) return {};
    std::string out = "  " + paint_.dim("at the end") + "\n";
    for (const OperationId id : told) out += standing_line(id, std::min(title_width, kFunctionMost));
    const std::size_t left_out = trace_.operations.size() - told.size() - ended;
    if (left_out > 0) out += "    " + paint_.dim("… and " + counted(left_out, "operation") + " more") + "\n";
    if (ended > 0)
      out += "    " + paint_.dim(counted(ended, "operation") + (ended == 1 ? " has" : " have") + " ended") + "\n";
    return out;
  }

  std::string standing_line(OperationId id, std::size_t title_width) const {
    const std::string title = padded(cut(operation_title(trace_, id), title_width), title_width);
    const bool failed = id == trace_.verdict.operation && !is_deadlock(trace_.verdict.kind);
    const std::string doing = failed ? "failed" : standing(trace_, words_, id);
    const std::string at = failed ? where(failing_frame(trace_)) : where(trace_, trace_.operations[index(id)].stack);
    return fmt::format("    {}  {}{}\n", paint_.operation(index(id), title), failed ? paint_.bad(doing) : doing,
                       paint_.dim((at.empty() ? "" : " at " + at) + (failed ? "" : where_it_was_taken(id))));
  }

  /// Where the resource that the operation waits for was taken.
  std::string where_it_was_taken(OperationId id) const {
    const OperationId holder = waits_for(trace_, id);
    const model::Event& next = trace_.operations[index(id)].next;
    if (holder == kNoOperation || next.kind == model::EventKind::join) return {};
    const TraceStep* const step = taking_step(trace_, holder, next.resource);
    const std::string at = step ? where(trace_, step->stack) : "";
    if (at.empty()) return {};
    return "; " + (holder == id ? std::string("it") : operation_name(holder)) + " took it at " + at;
  }

  /// `T2 wrote 4 bytes`
  static std::string made(const TraceAccess& access) {
    const AccessRow& kind = row(access.what);
    std::string text = access.operation == kNoOperation ? "another thread" : operation_name(access.operation);
    text += " " + std::string(kind.made);
    if (kind.tells_bytes) text += " " + counted(access.bytes, "byte");
    return text;
  }

  /// `, holding m1 (taken at bank.cpp:11)`
  std::string holding(const TraceAccess& access) const {
    if (!access.locks || !row(access.what).tells_locks) return {};
    if (access.locks->empty()) return ", holding no lock";
    std::string text;
    for (const TraceLock& held : *access.locks) {
      const std::string at = held.step > 0 ? where(trace_, trace_.steps[held.step - 1].stack) : "";
      text += (text.empty() ? ", holding " : ", ") + with_remark(words_.resource_in_full(held.lock), at);
    }
    return text;
  }

  /// `m1 (taken at bank.cpp:11)`, `m1 (from, taken at bank.cpp:11)`
  static std::string with_remark(std::string lock, const std::string& at) {
    if (at.empty()) return lock;
    const bool has_name = lock.back() == ')';
    if (has_name) lock.pop_back();
    return lock + (has_name ? ", taken at " : " (taken at ") + at + ")";
  }

  std::string accesses() {
    std::string out;
    for (const TraceAccess& access : trace_.accesses) {
      std::vector<Frame> users = frames(trace_, access.stack);
      std::erase_if(users, [](const Frame& frame) { return !is_users(frame); });
      std::vector<FrameRow> rows = frame_rows(users);
      if (rows.size() > kFramesOfMany) rows.resize(kFramesOfMany);
      out += (out.empty() ? "" : "\n") + ("  " + paint_.dim(made(access) + holding(access))) + "\n" + frame_lines(rows);
    }
    return out;
  }

  std::string stacks() {
    if (!trace_.accesses.empty()) return accesses();
    const std::vector<OperationId> who = culprits(trace_);
    std::string out;
    for (const OperationId id : who) {
      const std::string lines = stack_of(id, who.size() == 1 ? kFramesOfOne : kFramesOfMany);
      if (!lines.empty()) out += (out.empty() ? "" : "\n") + lines;
    }
    return out;
  }

  std::string stack_of(OperationId id, std::size_t frames_max) {
    std::vector<Frame> users = frames(trace_, trace_.operations[index(id)].stack);
    std::erase_if(users, [](const Frame& frame) { return !is_users(frame); });
    if (users.size() < 2) return {};  // already clear from where it stands
    std::vector<FrameRow> rows = frame_rows(users);
    const std::size_t left_out = rows.size() > frames_max ? rows.size() - frames_max : 0;
    rows.resize(rows.size() - left_out);
    std::string out = "  " + paint_.dim("stack of " + operation_name(id)) + "\n" + frame_lines(rows);
    if (left_out > 0) out += "    " + paint_.dim("… and " + counted(left_out, "frame") + " more") + "\n";
    return out;
  }

  struct FrameRow {
    std::string function;
    std::string place;
    std::string code;
    std::size_t count = 1;  // of consecutive identical calls
  };

  std::vector<FrameRow> frame_rows(const std::vector<Frame>& shown) {
    std::vector<FrameRow> rows;
    for (const Frame& frame : shown) {
      FrameRow row{function_of(frame), place_of(frame), {}, 1};
      if (frame.line) row.code = source_.line(frame.line->file, frame.line->line);
      const bool is_again = !rows.empty() && rows.back().function == row.function && rows.back().place == row.place;
      if (is_again)
        ++rows.back().count;
      else
        rows.push_back(std::move(row));
    }
    for (FrameRow& row : rows)
      if (row.count > 1) row.function += " ×" + std::to_string(row.count);
    return rows;
  }

  std::string frame_lines(const std::vector<FrameRow>& rows) const {
    std::size_t function_width = 0;
    std::size_t place_width = 0;
    for (const FrameRow& row : rows) {
      function_width = std::max(function_width, columns(row.function));
      place_width = std::max(place_width, columns(row.place));
    }
    std::string out;
    for (const FrameRow& row : rows) {
      std::string line = "    " + padded(row.function, function_width) + "  ";
      line += row.code.empty() ? row.place : padded(row.place, place_width) + "  " + row.code;
      out += cut(line.substr(0, line.find_last_not_of(' ') + 1), width()) + "\n";
    }
    return out;
  }

  static std::string function_of(const Frame& frame) {
    return frame.line && !frame.line->function.empty() ? cut(short_function(frame.line->function), kFunctionMost) : "?";
  }

  /// Empty if it would only repeat the function.
  static std::string place_of(const Frame& frame) {
    return frame.line && frame.line->file.empty() ? std::string() : where(frame);
  }

  std::string reasons() const {
    constexpr std::size_t kIndent = 10;
    std::string out;
    for (const std::string& sentence : explain(trace_)) {
      out += "  " + paint_.dim(out.empty() ? "why     " : "        ");
      const std::string filler(kIndent, '.');  // makes the first line break where the others do
      out += wrapped(filler + sentence, width(), kIndent).substr(kIndent) + "\n";
    }
    return out;
  }

  std::string next_actions() const {
    std::string replay = options_.replay_command;
    if (replay.empty() && !options_.trace_path.empty()) replay = "heddle replay " + shell_word(options_.trace_path);
    std::string out;
    if (!replay.empty()) out += "  " + paint_.dim("replay  ") + paint_.bold(replay) + "\n";
    if (!options_.trace_path.empty() && replay.find(options_.trace_path) == std::string::npos)
      out += "  " + paint_.dim("trace   ") + printable(options_.trace_path) + "\n";
    return out;
  }

  std::size_t width() const { return static_cast<std::size_t>(std::max(options_.width, 40)); }

  const Trace& trace_;
  const FailureOptions& options_;
  const Paint paint_;
  const Words words_;
  SourceText source_;
};

}  // namespace

std::string verdict_sentence(const Trace& trace) {
  const std::string kind = kind_in_words(trace.verdict.kind);
  std::string text = message_with_names(trace);
  if (text.empty() && is_deadlock(trace.verdict.kind)) text = deadlock_sentence(trace);
  if (text.empty())
    text = kind;
  else if (needs_its_kind(trace.verdict.kind))
    text = kind + ": " + text;
  const std::string at = where(failing_frame(trace));
  const bool is_told = text.find(at) != std::string::npos;  // by the program's own message, as for a failed assertion
  if (is_deadlock(trace.verdict.kind) || at.empty() || is_told) return text;
  return text + " at " + at;
}

std::string failure_report(const Trace& trace, const FailureOptions& options) {
  const Trace shown = printable_trace(trace);
  return FailureReport(shown, options).text();
}

}  // namespace heddle::report
