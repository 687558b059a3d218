#include "engine/pardoned.hpp"

#include <algorithm>
#include <memory>

#include "base/page_vector.hpp"
#include "strategy/support/replay.hpp"

namespace heddle::engine {
namespace {

/// Follows the choices that a strategy has made, and then asks it for more.
class Continued final : public strategy::Strategy {
 public:
  Continued(std::span<const Choice> begun, strategy::Strategy& strategy) : begun_(begun), strategy_(strategy) {
    Random unused(0);
    begun_.begin(unused);
    left_ = begun.size();
  }

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override {
    return follows() ? begun_.choose_operation(view) : strategy_.choose_operation(view);
  }
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    return follows() ? begun_.choose_value(view, bound) : strategy_.choose_value(view, bound);
  }
  bool is_fair() const override { return strategy_.is_fair(); }
  strategy::MachinesShow machines_show() const override { return strategy_.machines_show(); }

 private:
  bool follows() const { return begun_.followed() < left_ && !begun_.diverged_at(); }

  strategy::Replay begun_;
  strategy::Strategy& strategy_;
  std::size_t left_ = 0;
};

}  // namespace

ExecutionResult Pardoned::run(strategy::Strategy& strategy, bool record) {
  ExecutionResult result = inner_.run(strategy, record);
  while (!record && result.verdict->kind == VerdictKind::race) {
    const std::vector<Choice> schedule(result.schedule.begin(), result.schedule.end());
    const Verdict verdict = *result.verdict;
    if (!pardons(schedule, strategy.is_fair())) {
      verdict_ = verdict;
      schedule_ = schedule;
      return {&verdict_, result.steps, result.operations, schedule_, nullptr, result.left_out_unfair};
    }
    const auto continued = std::make_unique<Continued>(schedule, strategy);  // on the heap, which copies share
    result = inner_.run(*continued, false);
  }
  return result;
}

/// Judges the race that the last execution ended with. What does not happen twice is for whoever explores to tell.
bool Pardoned::pardons(const std::vector<Choice>& schedule, bool is_fair) {
  const std::uint64_t race = pardons_.last_race();
  if (std::find(unpardoned_.begin(), unpardoned_.end(), race) != unpardoned_.end()) return false;
  const auto again = std::make_unique<strategy::Replay>(schedule, is_fair);
  Random unused(0);
  again->begin(unused);
  const ExecutionResult recorded = inner_.run(*again, true);
  const bool is_same =
      recorded.trace != nullptr && recorded.verdict->kind == VerdictKind::race && pardons_.last_race() == race;
  if (is_same && pardons_.is_suppressed(*recorded.trace)) {
    pardons_.ignore(race);
    return true;
  }
  unpardoned_.push_back(race);
  return false;
}

}  // namespace heddle::engine
