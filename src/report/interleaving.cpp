#include "report/interleaving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/step_rows.hpp"
#include "report/text.hpp"
#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMargin = 4;        // before the first column; its last two places hold marks
constexpr std::size_t kGap = 3;           // between columns; its last two places hold marks
constexpr std::size_t kColumnsMax = 4;    // more are hard to follow by eye
constexpr std::size_t kColumnLeast = 24;  // a narrower column cuts off too much

std::string file_of(const StepRow& row) {
  return row.frame.line ? std::string(base_name(row.frame.line->file)) : std::string();
}

/// The file that most steps are in; its name is left out.
std::string main_file(const std::vector<StepRow>& rows) {
  std::map<std::string, int> counts;
  for (const StepRow& row : rows)
    if (!file_of(row).empty()) ++counts[file_of(row)];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::string() : most->first;
}

std::string caption(const Trace& trace, const std::string& file) {
  const auto preemptions = static_cast<std::uint64_t>(
      std::count_if(trace.steps.begin(), trace.steps.end(), [](const TraceStep& step) { return step.preempts; }));
  std::string text = counted(trace.steps.size(), "step") + ", " +
                     (preemptions == 0 ? "no preemption" : counted(preemptions, "preemption"));
  if (!file.empty()) text += "; lines are of " + file;
  return text;
}

std::string before_text(std::size_t steps) { return steps == 0 ? "" : "… " + counted(steps, "step") + " before"; }

std::string loop_text(const StepRow& row) {
  return "↻ these " + std::to_string(row.block) + " steps, " + with_commas(row.block_count) + " times";
}

/// One column per operation.
class ColumnForm {
 public:
  ColumnForm(const Trace& trace, const StepRows& steps, const Paint& paint)
      : trace_(trace), steps_(steps), paint_(paint), main_file_(main_file(steps.rows)) {
    for (const StepRow& row : steps.rows) columns_.try_emplace(row.operation);
    if (trace.verdict.is_failure() && index(trace.verdict.operation) < trace.operations.size())
      columns_.try_emplace(trace.verdict.operation);
    for (const StepRow& row : steps.rows) {
      Column& column = columns_[row.operation];
      column.event_width = std::max(column.event_width, columns(row.event));
      column.place_width = std::max(column.place_width, columns(place(row)));
    }
  }

  bool fits(std::size_t width) {
    std::size_t used = kMargin;
    for (auto& [id, column] : columns_) {
      column.begin = used;
      column.width = std::max(column.event_width + 2 + column.place_width, kColumnLeast);
      used += column.width + kGap;
    }
    return columns_.size() <= kColumnsMax && used - kGap <= width;
  }

  std::string text() const {
    std::string out = "  " + paint_.dim(caption(trace_, main_file_)) + "\n\n" + headings();
    if (steps_.steps_before > 0) out += cell(columns_.begin()->second, paint_.dim(before_text(steps_.steps_before)));
    for (const StepRow& row : steps_.rows) {
      if (row.preempted != kNoOperation) out += preemption(row.preempted);
      out += cell(columns_.at(row.operation), step(row));
      if (row.block > 0) out += marked_cell(columns_.at(row.operation), paint_.dim(loop_text(row)));
    }
    return out + failure();
  }

 private:
  struct Column {
    std::size_t event_width = 0;
    std::size_t place_width = 0;
    std::size_t begin = 0;
    std::size_t width = 0;
  };

  std::string place(const StepRow& row) const {
    if (!row.frame) return {};
    if (!main_file_.empty() && file_of(row) == main_file_) return ":" + std::to_string(row.frame.line->line);
    return cut(where(row.frame), kColumnLeast);
  }

  std::string headings() const {
    std::string out(kMargin, ' ');
    for (const auto& [id, column] : columns_) {
      const std::string title = cut(operation_title(trace_, id), column.width);
      const bool is_last = id == columns_.rbegin()->first;
      out += paint_.operation(index(id), paint_.bold(is_last ? title : padded(title, column.width + kGap)));
    }
    return out + "\n";
  }

  static std::string cell(const Column& column, const std::string& text) {
    return std::string(column.begin, ' ') + text + "\n";
  }

  static std::string marked_cell(const Column& column, const std::string& text) {
    return std::string(column.begin - 2, ' ') + text + "\n";
  }

  std::string step(const StepRow& row) const {
    const Column& column = columns_.at(row.operation);
    const std::string at = place(row);
    const std::string event = at.empty() ? row.event : padded(row.event, column.event_width);
    return paint_.operation(index(row.operation), event) + (at.empty() ? "" : "  " + paint_.dim(at));
  }

  std::string preemption(OperationId id) const {
    const auto column = columns_.find(id);  // absent if its last step was left out
    return column == columns_.end() ? "" : marked_cell(column->second, paint_.bad("╳ preempted"));
  }

  std::string failure() const {
    const Verdict& verdict = trace_.verdict;
    if (!verdict.is_failure() || !columns_.contains(verdict.operation)) return {};
    return marked_cell(columns_.at(verdict.operation), paint_.bad(fmt::format("✗ {}", name(verdict.kind))));
  }

  const Trace& trace_;
  const StepRows& steps_;
  const Paint& paint_;
  const std::string main_file_;
  std::map<OperationId, Column> columns_;
};

/// One line per step.
class ListForm {
 public:
  ListForm(const Trace& trace, const StepRows& steps, SourceText& source, const Paint& paint, std::size_t width)
      : trace_(trace), steps_(steps), source_(source), paint_(paint), width_(width) {
    number_width_ = std::to_string(trace.steps.size()).size();
    for (const StepRow& row : steps.rows) {
      name_width_ = std::max(name_width_, columns(operation_name(row.operation)));
      event_width_ = std::max(event_width_, columns(row.event));
      place_width_ = std::max(place_width_, columns(where(row.frame)));
    }
    place_width_ = std::min(place_width_, kPlaceMost);
    const std::size_t others = kMargin + number_width_ + name_width_ + place_width_ + kBlanks;
    event_width_ = std::min({event_width_, kEventMost, width > others ? width - others : 0});
  }

  std::string text() const {
    std::string out = "  " + paint_.dim(caption(trace_, "")) + "\n\n";
    if (steps_.steps_before > 0) out += std::string(kMargin, ' ') + paint_.dim(before_text(steps_.steps_before)) + "\n";
    for (const StepRow& row : steps_.rows) {
      if (row.preempted != kNoOperation) out += mark(paint_.bad("╳ " + operation_name(row.preempted) + " preempted"));
      out += step(row);
      if (row.block > 0) out += mark(paint_.dim(loop_text(row)));
    }
    return out + failure();
  }

 private:
  static constexpr std::size_t kBlanks = 6;  // between number, name, event and place
  static constexpr std::size_t kEventMost = 40;
  static constexpr std::size_t kPlaceMost = 32;

  std::string step(const StepRow& row) const {
    const std::string at = cut(where(row.frame), place_width_);
    const std::string number = fmt::format("{:>{}}", row.first, number_width_);
    std::string line = std::string(kMargin, ' ') + paint_.dim(number) + "  ";
    const std::string who = padded(operation_name(row.operation), name_width_);
    const std::string event = cut(row.event, event_width_);
    line += paint_.operation(index(row.operation), who + "  " + (at.empty() ? event : padded(event, event_width_)));
    if (at.empty()) return line + "\n";
    const std::string code = source_line(row);
    return line + "  " + paint_.dim(code.empty() ? at : padded(at, place_width_) + "  " + code) + "\n";
  }

  /// Cut to the space left on the line.
  std::string source_line(const StepRow& row) const {
    constexpr std::size_t kLeast = 16;
    const std::size_t used = kMargin + number_width_ + name_width_ + event_width_ + place_width_ + kBlanks + 2;
    if (!row.frame.line || used + kLeast > width_) return {};
    return cut(source_.line(row.frame.line->file, row.frame.line->line), width_ - used);
  }

  std::string mark(const std::string& text) const { return std::string(kMargin + number_width_, ' ') + text + "\n"; }

  std::string failure() const {
    const Verdict& verdict = trace_.verdict;
    if (!verdict.is_failure() || verdict.operation == kNoOperation) return {};
    return mark(paint_.bad(fmt::format("✗ {} {}", operation_name(verdict.operation), name(verdict.kind))));
  }

  const Trace& trace_;
  const StepRows& steps_;
  SourceText& source_;
  const Paint& paint_;
  const std::size_t width_;
  std::size_t number_width_ = 0;
  std::size_t name_width_ = 0;
  std::size_t event_width_ = 0;
  std::size_t place_width_ = 0;
};

}  // namespace

std::string operation_title(const Trace& trace, OperationId id) {
  const std::string name = index(id) < trace.operations.size() ? trace.operations[index(id)].name : std::string();
  return name.empty() ? operation_name(id) : operation_name(id) + " " + short_function(name);
}

std::string interleaving(const Trace& trace, SourceText& source, const Paint& paint, std::size_t width) {
  const StepRows steps = step_rows(trace);
  if (steps.rows.empty()) return {};
  ColumnForm in_columns(trace, steps, paint);
  return in_columns.fits(width) ? in_columns.text() : ListForm(trace, steps, source, paint, width).text();
}

}  // namespace heddle::report
