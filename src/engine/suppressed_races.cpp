#include "engine/suppressed_races.hpp"

#include <algorithm>
#include <memory>

#include "strategy/support/replay.hpp"

namespace heddle::engine {
namespace {

/// When an execution is run again: passes on only what the watcher has not been told yet.
class Rest final : public strategy::StepWatcher {
 public:
  Rest(strategy::StepWatcher* inner, std::uint64_t steps_told, std::size_t values_told)
      : inner_(inner), steps_told_(steps_told), values_told_(values_told) {}

  void on_step(const strategy::ScheduleView& view, OperationId who) override {
    if (view.step >= steps_told_) inner_->on_step(view, who);
  }
  void on_value(const strategy::ScheduleView& view, std::uint32_t value) override {
    if (values_told_ > 0)
      --values_told_;
    else
      inner_->on_value(view, value);
  }

  /// Null if there is no watcher.
  strategy::StepWatcher* as_watcher() { return inner_ != nullptr ? this : nullptr; }

 private:
  strategy::StepWatcher* inner_;
  std::uint64_t steps_told_;
  std::size_t values_told_;
};

/// Follows the choices that a strategy has already made, then asks it for more.
class Continued final : public strategy::Strategy {
 public:
  Continued(std::span<const Choice> begun, std::uint64_t steps, Chooser chooser)
      : begun_(begun),
        chooser_(chooser),
        own_(chooser.strategy->watcher(), steps, values_in(begun)),
        other_(chooser.watcher, steps, values_in(begun)),
        left_(begun.size()) {
    Random unused(0);
    begun_.begin(unused);
  }

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override {
    return follows() ? begun_.choose_operation(view) : chooser_.strategy->choose_operation(view);
  }
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    return follows() ? begun_.choose_value(view, bound) : chooser_.strategy->choose_value(view, bound);
  }
  strategy::StepWatcher* watcher() override { return own_.as_watcher(); }
  bool is_fair() const override { return chooser_.strategy->is_fair(); }
  strategy::MachinesShow machines_show() const override { return chooser_.strategy->machines_show(); }

  Chooser as_chooser() { return {*this, other_.as_watcher()}; }

 private:
  static std::size_t values_in(std::span<const Choice> schedule) {
    return static_cast<std::size_t>(std::ranges::count_if(schedule, &Choice::is_value));
  }
  bool follows() const { return begun_.followed() < left_ && !begun_.diverged_at(); }

  strategy::Replay begun_;
  Chooser chooser_;
  Rest own_;
  Rest other_;
  std::size_t left_;
};

}  // namespace

ExecutionResult SuppressedRaces::filter(const ExecutionResult& result, const Finished& execution) {
  ExecutionResult last = result;
  while (execution.purpose != Purpose::record && last.verdict->kind == VerdictKind::race) {
    const std::vector<Choice> schedule(last.schedule.begin(), last.schedule.end());
    const Verdict verdict = *last.verdict;
    if (!is_suppressed(schedule, execution)) {
      verdict_ = verdict;
      schedule_ = schedule;
      return {&verdict_, last.steps, last.operations, schedule_, nullptr, last.left_out_unfair};
    }
    // On the heap, which the copies share.
    const auto continued = std::make_unique<Continued>(schedule, last.steps, execution.chooser);
    last = execution.isolation.run(continued->as_chooser(), false);
  }
  return last;
}

/// Is the race that ended the last execution suppressed? If it does not happen again, reporting that is left to the
/// explorer.
bool SuppressedRaces::is_suppressed(const std::vector<Choice>& schedule, const Finished& execution) {
  const std::uint64_t race = suppressions_.last_race();
  if (std::ranges::find(reported_, race) != reported_.end()) return false;
  const auto again = std::make_unique<strategy::Replay>(schedule, execution.chooser.strategy->is_fair());
  Random unused(0);
  again->begin(unused);
  const ExecutionResult recorded = execution.isolation.run(*again, true);
  const bool is_same =
      recorded.trace != nullptr && recorded.verdict->kind == VerdictKind::race && suppressions_.last_race() == race;
  if (is_same && suppressions_.is_suppressed(*recorded.trace)) {
    suppressions_.ignore(race);
    return true;
  }
  reported_.push_back(race);
  return false;
}

}  // namespace heddle::engine
