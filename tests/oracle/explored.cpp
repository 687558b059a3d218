#include "oracle/explored.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "engine/baton.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "heddle/heddle.hpp"
#include "model/misuse.hpp"
#include "oracle/threads.hpp"
#include "runtime/ending.hpp"
#include "runtime/front.hpp"
#include "strategy/support/replay.hpp"
#include "strategy/table.hpp"

namespace heddle::oracle {
namespace {

/// Kept for the life of the process, as their threads are.
engine::Executor& executor_for(On executor) {
  static auto* const carrier = new engine::Carrier;
  static auto* const baton = new engine::Baton;
  if (executor == On::baton) return *baton;
  return *carrier;
}

engine::Settings settings() {
  engine::Settings settings;
  settings.allow.add(
      model::Misuse::two_mutexes);  // of one condition: POSIX leaves it undefined, the data does not mind
  return settings;
}

bool says(const Verdict& verdict, std::string_view words) {
  return verdict.text().find(words) != std::string_view::npos;
}

End end_of(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::passed:
      return End::ok;
    case VerdictKind::deadlock:
    case VerdictKind::lost_wakeup:
      return End::deadlock;
    case VerdictKind::leaked_thread:  // POSIX does not mind that no thread joined it
      return says(verdict, "neither joined nor detached") ? End::ok : End::deadlock;
    case VerdictKind::misuse:
      return says(verdict, "[relock]") ? End::deadlock : End::other;
    case VerdictKind::assertion:
      return End::assertion;
    case VerdictKind::exited:
      return End::exited;
    case VerdictKind::aborted:
      return End::aborted;
    default:
      return End::other;
  }
}

/// Notes how each execution ended, and tells the explorer of no failure, so that it goes on.
class Noted final : public engine::Isolation {
 public:
  Noted(engine::Isolation& inner, const Threads& threads, Explored& explored, const OnExecution& on_execution)
      : inner_(inner), threads_(threads), explored_(explored), on_execution_(on_execution) {}

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  void set_points(engine::Points points) override { inner_.set_points(points); }
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

  engine::ExecutionResult run(strategy::Strategy& strategy, bool record) override {
    engine::ExecutionResult result = inner_.run(strategy, record);
    if (warmed_up_) note(result);
    warmed_up_ = true;
    if (result.verdict->is_failure()) result.verdict = &passed_;
    return result;
  }

  Outcome outcome(const Verdict& verdict) const {
    Outcome outcome;
    outcome.end = end_of(verdict);
    if (outcome.end == End::ok) outcome.values = threads_.values();
    if (outcome.end == End::assertion) outcome.thread = static_cast<std::int16_t>(threads_.end_thread());
    if (outcome.end == End::assertion || outcome.end == End::exited)
      outcome.detail = static_cast<std::int16_t>(threads_.end_detail());
    if (outcome.end == End::other) outcome.detail = static_cast<std::int16_t>(verdict.kind);
    return outcome;
  }

 private:
  void note(const engine::ExecutionResult& result) {
    const Outcome ended = outcome(*result.verdict);
    if (ended.end == End::other) explored_.strange = result.verdict->text();
    if (on_execution_) on_execution_(result.schedule, ended);
    explored_.outcomes.insert(ended);
  }

  engine::Isolation& inner_;
  const Threads& threads_;
  Explored& explored_;
  const OnExecution& on_execution_;
  const Verdict passed_ = {};
  bool warmed_up_ = false;
};

Hooks under_control() {
  Hooks hooks;
  hooks.step = heddle::step;
  hooks.choose = heddle::choose;
  return hooks;
}

/// The program as the body of executions.
class Body {
 public:
  explicit Body(const Program& program) : threads_(program, under_control()) {
    runtime::front.set_body([](void* threads) { static_cast<Threads*>(threads)->run(); }, &threads_);
    runtime::front.see_ends();
  }
  const Threads& threads() const { return threads_; }

 private:
  Threads threads_;
  const runtime::TerminateGuard guard_;
};

}  // namespace

Explored explore(const Program& program, const std::string& strategy, std::uint64_t executions_max, On executor,
                 const OnExecution& on_execution) {
  const Body body(program);
  engine::InProcess in_process(executor_for(executor), runtime::front, settings());
  Explored explored;
  Noted noted(in_process, body.threads(), explored, on_execution);
  engine::Explorer explorer(noted);
  const strategy::Parsed parsed = strategy::parse(strategy);
  const engine::Findings findings = explorer.explore(*parsed.strategy, {executions_max, 0, 0}, 1);
  explored.finished = findings.finished;
  explored.what = findings.explored;
  explored.executions = findings.totals.executions;
  return explored;
}

std::optional<Outcome> replay(const Program& program, std::span<const Choice> schedule) {
  const Body body(program);
  engine::InProcess in_process(executor_for(On::carrier), runtime::front, settings());
  Explored unused;
  const OnExecution nothing;
  const Noted noted(in_process, body.threads(), unused, nothing);
  strategy::Replay follows({schedule.begin(), schedule.end()}, false);
  Random random(0);
  follows.begin(random);
  in_process.open();
  const Outcome ended = noted.outcome(*in_process.run(follows, false).verdict);
  in_process.close();
  if (follows.diverged_at()) return std::nullopt;
  return ended;
}

}  // namespace heddle::oracle
