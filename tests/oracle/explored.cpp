#include "oracle/explored.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "engine/baton.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "heddle/heddle.hpp"
#include "model/dependence.hpp"
#include "model/misuse.hpp"
#include "oracle/snapshot.hpp"
#include "oracle/threads.hpp"
#include "runtime/ending.hpp"
#include "runtime/front.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/order_class.hpp"
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

constexpr std::string_view kNeeded = "needed/";

engine::Settings settings(std::string_view strategy = {}) {
  engine::Settings settings;
  if (strategy.starts_with(kNeeded)) settings.choices = engine::Choices::needed;
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

Outcome outcome_of(const Verdict& verdict, const Threads& threads) {
  Outcome outcome;
  outcome.end = end_of(verdict);
  if (outcome.end == End::ok) outcome.values = threads.values();
  if (outcome.end == End::assertion) outcome.thread = static_cast<std::int16_t>(index(verdict.operation));
  if (outcome.end == End::assertion || outcome.end == End::exited)  // threads are created in the order of their numbers
    outcome.detail = static_cast<std::int16_t>(threads.end_detail(index(verdict.operation)));
  if (outcome.end == End::other) outcome.detail = static_cast<std::int16_t>(verdict.kind);
  return outcome;
}

bool is_same(const model::Event& a, const model::Event& b) { return a.kind == b.kind && a.resource == b.resource; }

/// Keeps every step of an execution.
class Watcher final : public strategy::StepWatcher {
 public:
  explicit Watcher(const Threads& threads) : threads_(threads) {}

  void begin() {
    recorded_ = {};
    operations_ = 0;
    order_class_.begin();
  }
  Recorded& recorded() {
    recorded_.order_class = order_class_.value();
    return recorded_;
  }

  void on_step(const strategy::ScheduleView& view, OperationId who) override {
    std::vector<Standing> others = standing(view, who);
    const bool was = was_enabled(who, view.next(who));
    recorded_.steps.push_back({who, view.next(who), everything(), was, false, predict(view.next(who), view.resources),
                               std::move(others),
                               view.enabled.size() > 1 ? snapshot(runtime::front.scheduler(), threads_) : ""});
    order_class_.on_step(view, who);
  }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    order_class_.on_stepped(who, footprint);
    if (recorded_.steps.empty()) return;
    recorded_.steps.back().footprint = footprint;
    recorded_.steps.back().is_complete = true;
  }
  bool wants_footprints() const override { return true; }
  void on_value(const strategy::ScheduleView& view, std::uint32_t value) override {
    recorded_.values.push_back(value);
    recorded_.takers.push_back(view.current);
    order_class_.on_value(view, value);
  }

 private:
  /// Of a step that is not complete, or never will be.
  static model::Footprint everything() {
    model::Footprint footprint;
    footprint.add_everything();
    return footprint;
  }
  bool was_enabled(OperationId who, const model::Event& event) const {
    if (recorded_.steps.empty()) return false;
    const Step& last = recorded_.steps.back();
    if (last.operation == who) return is_same(last.event, event);
    return std::any_of(last.others.begin(), last.others.end(), [&](const Standing& one) {
      return one.operation == who && one.is_enabled && is_same(one.event, event);
    });
  }
  std::vector<Standing> standing(const strategy::ScheduleView& view, OperationId who) {
    for (const OperationId id : view.enabled) operations_ = std::max(operations_, index(id) + 1);
    std::vector<Standing> found;
    for (std::uint32_t i = 0; i < operations_; ++i) {
      const OperationId id{i};
      if (id == who || view.candidates[i].has_ended) continue;
      const model::Event &step = view.next(who), &other = view.next(id);
      found.push_back({id, other, view.is_enabled(id), dependent(step, other, view.resources),
                       can_enable(step, other, view.resources), can_disable(step, other, view.resources)});
    }
    return found;
  }

  const Threads& threads_;
  Recorded recorded_;
  strategy::OrderClass order_class_;
  std::uint32_t operations_ = 0;  // that have been seen; each begins enabled
};

/// Goes the way that was recorded for as long as it can.
class Follow final : public strategy::Strategy, public strategy::StepWatcher {
 public:
  Follow(const Recorded& recorded, std::size_t count, const Threads& threads)
      : recorded_(recorded), count_(count), threads_(threads), taken_(recorded.values.size()) {}

  Followed how() const { return how_; }
  const std::string& state() const { return state_; }

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override {
    if (how_ != Followed::to_the_end || at_ == recorded_.steps.size()) return view.enabled.front();
    const OperationId wanted = recorded_.steps[at_].operation;
    if (view.is_enabled(wanted)) return wanted;
    how_ = Followed::blocked;  // unless the watcher sees otherwise
    return view.enabled.front();
  }
  /// The next of those that this operation was given.
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (taken_[i] || recorded_.takers[i] != view.current) continue;
      taken_[i] = true;
      return recorded_.values[i] < bound ? recorded_.values[i] : 0;
    }
    return 0;
  }

  StepWatcher* watcher() override { return this; }
  void on_step(const strategy::ScheduleView& view, OperationId who) override {
    if (at_ >= count_ && state_.empty() && view.enabled.size() > 1)
      state_ = snapshot(runtime::front.scheduler(), threads_);
    if (at_ == recorded_.steps.size()) return;
    const OperationId wanted = recorded_.steps[at_].operation;
    if (who == wanted) ++at_;
    if (who != wanted && view.is_enabled(wanted)) how_ = Followed::unfair;  // here are those that have to wait, too
  }

 private:
  const Recorded& recorded_;
  const std::size_t count_;
  const Threads& threads_;
  std::string state_;
  std::vector<bool> taken_;  // of the values
  std::size_t at_ = 0;       // the next step
  Followed how_ = Followed::to_the_end;
};

/// Notes how each execution ended, and tells the explorer of no failure, so that it goes on.
class Noted final : public engine::Isolation {
 public:
  Noted(engine::Isolation& inner, const Threads& threads, Explored& explored, const OnExecution& on_execution)
      : inner_(inner), threads_(threads), explored_(explored), on_execution_(on_execution), watcher_(threads) {}

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  void set_points(engine::Points points) override { inner_.set_points(points); }
  void set_choices(engine::Choices choices) override { inner_.set_choices(choices); }
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

  engine::ExecutionResult run(engine::Chooser chooser, bool record) override {
    watcher_.begin();
    if (on_execution_) chooser.watcher = &watcher_;
    engine::ExecutionResult result = inner_.run(chooser, record);
    if (warmed_up_) note(result);
    warmed_up_ = true;
    if (result.verdict->is_failure()) result.verdict = &passed_;
    return result;
  }

 private:
  void note(const engine::ExecutionResult& result) {
    const Outcome ended = outcome_of(*result.verdict, threads_);
    if (ended.end == End::other) explored_.strange = result.verdict->text();
    watcher_.recorded().outcome = ended;
    if (on_execution_) on_execution_(watcher_.recorded());
    explored_.outcomes.insert(ended);
    ++explored_.executions;
  }

  engine::Isolation& inner_;
  const Threads& threads_;
  Explored& explored_;
  const OnExecution& on_execution_;
  Watcher watcher_;
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
  explicit Body(const Program& program, Ends ends) : threads_(program, under_control()) {
    runtime::front.set_body([](void* threads) { static_cast<Threads*>(threads)->run(); }, &threads_);
    runtime::front.see_ends(ends == Ends::are_steps);
  }
  const Threads& threads() const { return threads_; }

 private:
  Threads threads_;
  const runtime::TerminateGuard guard_;
};

}  // namespace

Explored explore(const Program& program, const std::string& strategy, std::uint64_t executions_max, On executor,
                 const OnExecution& on_execution, Ends ends) {
  const Body body(program, ends);
  engine::InProcess in_process(executor_for(executor), runtime::front, settings(strategy));
  Explored explored;
  Noted noted(in_process, body.threads(), explored, on_execution);
  engine::Explorer explorer(noted);
  const strategy::Parsed parsed =
      strategy::parse(strategy.starts_with(kNeeded) ? strategy.substr(kNeeded.size()) : strategy);
  const engine::Findings findings = explorer.explore(*parsed.strategy, {executions_max, 0, 0}, 1);
  explored.finished = findings.finished;
  explored.what = findings.explored;
  return explored;
}

FollowedTo follow(const Program& program, const Recorded& recorded, std::size_t count) {
  const Body body(program, Ends::are_steps);
  engine::InProcess in_process(executor_for(On::carrier), runtime::front, settings());
  Follow strategy(recorded, count, body.threads());
  in_process.open();
  const Outcome ended = outcome_of(*in_process.run(strategy, false).verdict, body.threads());
  in_process.close();
  return {strategy.how(), strategy.state(), ended};
}

}  // namespace heddle::oracle
