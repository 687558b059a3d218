#include "report/chart_events.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "report/interleaving.hpp"

namespace heddle::report {
namespace {

using Kind = ChartEvent::Kind;

/// Nothing: not shown. Deferring an event and starting a timer change nothing that other machines see.
std::optional<Kind> kind_of(std::string_view what) {
  static const std::map<std::string_view, Kind> kinds = {
      {"created", Kind::created}, {"sent", Kind::sent},    {"taken", Kind::taken},   {"received", Kind::taken},
      {"ignored", Kind::taken},   {"dropped", Kind::lost}, {"entered", Kind::state}, {"pushed", Kind::state},
      {"popped", Kind::state},    {"raised", Kind::aside}, {"halted", Kind::aside},  {"exception", Kind::aside},
      {"waits", Kind::aside},     {"told", Kind::aside},   {"text", Kind::aside},
  };
  const auto found = kinds.find(what);
  return found != kinds.end() ? std::optional(found->second) : std::nullopt;
}

std::string words_for(const TraceNote& note, Kind kind) {
  if (note.what == "ignored") return note.text + " ignored";
  if (note.what == "pushed") return "push " + note.text;
  if (note.what == "popped") return "pop " + note.text;
  if (kind != Kind::aside || note.what == "text") return note.text;
  if (note.what == "waits") return "waits for " + note.text;
  return note.text.empty() || note.what == "halted" ? note.what : note.what + " " + note.text;
}

class Collector {
 public:
  explicit Collector(const Trace& trace) : trace_(trace) {}

  ChartEvents collect() {
    for (const TraceNote& note : trace_.notes) {
      const auto kind = kind_of(note.what);
      const bool needs_other = kind == Kind::created || kind == Kind::sent;
      if (kind && (!needs_other || note.other != kNoOperation)) add(note, *kind);
    }
    if (!result_.rows.empty() && trace_.verdict.is_failure() && trace_.verdict.operation != kNoOperation)
      result_.rows.push_back({.kind = Kind::failed,
                              .lane = lane_of(trace_.verdict.operation),
                              .text = std::string(name(trace_.verdict.kind))});
    return std::move(result_);
  }

 private:
  std::size_t lane_of(OperationId id) {
    const auto [at, is_new] = lanes_.try_emplace(id, result_.lanes.size());
    if (is_new) {
      const std::string& name = trace_.operations[index(id)].name;
      result_.lanes.push_back(name.empty() ? operation_title(trace_, id) : name);
    }
    return at->second;
  }

  void add(const TraceNote& note, Kind kind) {
    ChartEvent row{.kind = kind, .lane = lane_of(note.operation), .text = words_for(note, kind)};
    if (note.other != kNoOperation) row.other = lane_of(note.other);
    const std::size_t here = result_.rows.size();
    if (kind == Kind::sent) {
      under_way_[{row.other, note.text}].push_back(here);
    } else if (kind == Kind::taken || kind == Kind::lost) {
      auto& waiting = under_way_[{row.lane, note.text}];
      if (!waiting.empty()) {
        row.match = waiting.front();
        result_.rows[row.match].match = here;
        waiting.pop_front();
      }
    }
    result_.rows.push_back(std::move(row));
  }

  const Trace& trace_;
  std::map<OperationId, std::size_t> lanes_;
  std::map<std::pair<std::size_t, std::string>, std::deque<std::size_t>> under_way_;  // by lane and event
  ChartEvents result_;
};

}  // namespace

ChartEvents happenings_of(const Trace& trace) { return Collector(trace).collect(); }

}  // namespace heddle::report
