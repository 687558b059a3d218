// Writes an execution of a session as a trace, and runs a trace again.
#include "runtime/capi/session_trace.hpp"

#include <charconv>
#include <mutex>

#include "base/printable.hpp"
#include "runtime/capi/error.hpp"
#include "runtime/capi/session.hpp"
#include "trace/compare.hpp"
#include "trace/file.hpp"

namespace heddle::runtime::capi {
namespace {

constexpr char kStepsMax[] = "steps_max";

/// False if the trace says something else than a number of steps.
bool read_steps_max(const TraceHeader& header, std::uint64_t& steps_max) {
  const std::string_view text = header.option(kStepsMax);
  if (text.empty()) return true;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), steps_max);
  return wrong == std::errc() && end == text.data() + text.size() && steps_max > 0;
}

}  // namespace

std::uint64_t steps_max_of(const TraceHeader& header, std::uint64_t fallback) {
  std::uint64_t steps_max = fallback;
  return read_steps_max(header, steps_max) ? steps_max : fallback;
}

heddle_code Session::load(const char* path, Trace& trace) const {
  LoadedTrace loaded = read_trace(path);
  if (!loaded.trace) return error(HEDDLE_BAD_TRACE, "%s", loaded.error.c_str());
  std::uint64_t steps_max = 0;
  if (!read_steps_max(loaded.trace->header, steps_max))
    return error(HEDDLE_BAD_TRACE, "%s: steps_max must be a whole number from 1 on",
                 printable(place_of_option(loaded, path, kStepsMax)).c_str());
  trace = std::move(*loaded.trace);
  return HEDDLE_OK;
}

void Session::follow(Trace trace) {
  const bool was_fair = trace.verdict.kind != VerdictKind::cut;
  replay_ = std::make_unique<strategy::Replay>(trace.schedule(), was_fair);
  expected_ = std::move(trace);
}

heddle_code Session::replay(const char* path) {
  if (path == nullptr) return error(HEDDLE_BAD_ARGUMENT, "the path of a trace is missing");
  Trace trace;
  if (const heddle_code code = load(path, trace)) return code;
  if (!trace.header.exploration.starts_with(kExploration))
    return error(HEDDLE_BAD_TRACE, "%s is not a trace of the C API, but of %s: `heddle replay %s` runs it again", path,
                 printable(trace.header.exploration).c_str(), path);
  const std::lock_guard guard(lock_);
  if (is_attached()) return error(HEDDLE_ALREADY_ATTACHED);
  follow(std::move(trace));
  return HEDDLE_OK;
}

/// `heddle replay` runs the program with HEDDLE_REPLAY: the exploration that made the trace follows it, and others have
/// nothing to do.
heddle_code Session::open_replay(const char* path) {
  Trace trace;
  if (const heddle_code code = load(path, trace)) return code;
  exploration_.only_replays = true;
  if (trace.header.exploration == exploration_.name) follow(std::move(trace));
  return HEDDLE_OK;
}

heddle_code Session::compare_with_expected() const {
  Trace actual = trace();
  if (!first_difference(*expected_, actual)) return HEDDLE_OK;
  describe(actual);
  const std::optional<Difference> difference = first_difference(*expected_, actual);
  return error(HEDDLE_DIVERGED, "%s. %s", printable(difference->text).c_str(), difference->cause.c_str());
}

TraceHeader Session::header() const {
  if (replay_) return expected_->header;
  TraceHeader header;
  header.exploration = exploration_.name;
  header.strategy = exploration_.spec;
  header.seed = exploration_.seed;
  header.execution = exploration_.iterations;
  header.options = {{kStepsMax, std::to_string(scheduler_.settings().steps_max)}};
  return header;
}

Trace Session::trace() const {
  Trace trace = recorder_.trace(scheduler_, verdict_);
  trace.header = header_;
  for (std::uint32_t i = 0; i < trace.operations.size(); ++i) trace.operations[i].name = calls_.name(OperationId{i});
  for (std::uint32_t i = 0; i < trace.resources.size(); ++i)
    if (trace.resources[i].kind != model::ResourceKind::operation) trace.resources[i].name = calls_.name(ResourceId{i});
  return trace;
}

heddle_code Session::save_trace(const char* path) {
  if (path == nullptr) return error(HEDDLE_BAD_ARGUMENT, "the path of the trace is missing");
  const std::lock_guard guard(lock_);
  if (!has_run_) return error(HEDDLE_NOTHING_TO_SAVE);
  if (is_attached() && stopped_ == HEDDLE_OK && !is_caller(scheduler_.current())) return error(HEDDLE_NOT_RUNNING);
  Trace saved = trace();
  describe(saved);
  const std::string failure = write_trace(saved, path);
  return failure.empty() ? HEDDLE_OK : error(HEDDLE_CANNOT_WRITE, "%s", failure.c_str());
}

}  // namespace heddle::runtime::capi
