#include <algorithm>

#include "report/chart.hpp"
#include "report/chart_events.hpp"
#include "report/printable_trace.hpp"
#include "report/text.hpp"

namespace heddle::report {
namespace {

using Kind = ChartEvent::Kind;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kLaneLeast = 16;
constexpr std::size_t kLaneMost = 30;

class Columns {
 public:
  Columns(const ChartEvents& all, const Paint& paint, std::size_t lane) : all_(all), paint_(paint), lane_(lane) {}

  std::string text() {
    std::string out(kIndent, ' ');
    for (std::size_t i = 0; i < all_.lanes.size(); ++i)
      out += paint_.operation(static_cast<unsigned>(i), padded(cut(all_.lanes[i], lane_ - 1), lane_));
    out = trimmed(out) + "\n";
    for (const ChartEvent& row : all_.rows) out += trimmed(line(row)) + "\n";
    return out;
  }

 private:
  static std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

  std::string line(const ChartEvent& row) const {
    if (row.other != ChartEvent::kNone && row.other != row.lane) return arrow(row);
    return rails(0, row.lane) + at_lane(row) + (fits(row) ? rails(row.lane + 1, all_.lanes.size()) : "");
  }

  std::string mark(const ChartEvent& row) const {
    switch (row.kind) {
      case Kind::sent:
        return "↻ " + row.text + " to itself";
      case Kind::taken:
        return "● " + row.text;
      case Kind::lost:
        return "○ " + row.text + " dropped";
      case Kind::state:
        return "[" + row.text + "]";
      case Kind::failed:
        return "✗ " + row.text;
      default:
        return "· " + row.text;
    }
  }

  /// Text in one lane may run over into the lanes to its right.
  bool fits(const ChartEvent& row) const { return columns(mark(row)) < lane_; }

  std::string at_lane(const ChartEvent& row) const {
    const std::string text = fits(row) ? padded(mark(row), lane_) : mark(row);
    return row.kind == Kind::failed ? paint_.bad(text) : paint_.operation(static_cast<unsigned>(row.lane), text);
  }

  /// The life lines from one lane up to another.
  std::string rails(std::size_t from, std::size_t to) const {
    std::string out(from == 0 ? kIndent : 0, ' ');
    for (std::size_t i = from; i < to; ++i) out += paint_.dim(padded("│", lane_));
    return out;
  }

  /// `├─ Prepare ─────►` from one lane to another; double lines for creation.
  std::string arrow(const ChartEvent& row) const {
    const bool to_right = row.other > row.lane;
    const std::size_t left = std::min(row.lane, row.other);
    const std::size_t right = std::max(row.lane, row.other);
    const std::string bar = row.kind == Kind::created ? "═" : "─";
    const std::string label = row.kind == Kind::created ? " new " : " " + row.text + " ";
    const std::size_t span = (right - left) * lane_ - 1;  // between the two life lines
    const std::string shown = cut(label, span - 2);
    std::string middle;
    const std::size_t bars = span - 1 - columns(shown);
    for (std::size_t i = 0; i < bars / 2; ++i) middle += bar;
    middle += shown;
    for (std::size_t i = bars / 2; i < bars; ++i) middle += bar;
    const std::string whole = to_right ? "├" + middle + "►│" : "│◄" + middle + "┤";
    return rails(0, left) + paint_.operation(static_cast<unsigned>(row.lane), whole) + std::string(lane_ - 1, ' ') +
           rails(right + 1, all_.lanes.size());
  }

  const ChartEvents& all_;
  const Paint& paint_;
  const std::size_t lane_;
};

std::string in_words(const ChartEvent& row, const ChartEvents& all) {
  const std::string& who = all.lanes[row.lane];
  switch (row.kind) {
    case Kind::created:
      return who + " creates " + all.lanes[row.other];
    case Kind::sent:
      return who + " sends " + row.text + " to " + all.lanes[row.other];
    case Kind::taken:
      return who + " takes " + row.text;
    case Kind::lost:
      return who + " has halted: " + row.text + " is dropped";
    case Kind::state:
      return who + " is in " + row.text;
    case Kind::failed:
      return who + " ✗ " + row.text;
    case Kind::aside:
      break;
  }
  return who + ": " + row.text;
}

}  // namespace

bool has_chart(const Trace& trace) { return !trace.notes.empty(); }

std::string chart_text(const Trace& trace, const Paint& paint, std::size_t width, std::size_t rows_max) {
  ChartEvents all = happenings_of(printable_trace(trace));
  std::string out;
  if (rows_max != 0 && all.rows.size() > rows_max) {
    const std::size_t left_out = all.rows.size() - rows_max;
    out = std::string(kIndent, ' ') +
          paint.dim("… " + counted(left_out, "line") + " before: heddle chart has them all") + "\n";
    all.rows.erase(all.rows.begin(), all.rows.begin() + static_cast<std::ptrdiff_t>(left_out));
  }
  const std::size_t lane = all.lanes.empty() ? 0 : (width - kIndent) / all.lanes.size();
  if (lane >= kLaneLeast) return out + Columns(all, paint, std::min(lane, kLaneMost)).text();
  for (const ChartEvent& row : all.rows)
    out += std::string(kIndent, ' ') + paint.operation(static_cast<unsigned>(row.lane), in_words(row, all)) + "\n";
  return out;
}

}  // namespace heddle::report
