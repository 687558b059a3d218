#include "strategy/support/replay.hpp"

#include <utility>

namespace heddle::strategy {

Replay::Replay(std::span<const Choice> schedule, bool as_if_fair) : as_if_fair_(as_if_fair) {
  schedule_.reserve(schedule.size());
  for (Choice choice : schedule) schedule_.push_back(choice);
}

bool Replay::begin(Random&) { return !std::exchange(begun_, true); }

const Choice* Replay::next(bool is_value) const {
  if (diverged_at_ || followed_ == schedule_.size()) return nullptr;
  const Choice& choice = schedule_[followed_];
  return choice.is_value() == is_value ? &choice : nullptr;
}

void Replay::diverge() {
  if (!diverged_at_) diverged_at_ = followed_;
}

OperationId Replay::choose_operation(const ScheduleView& view) {
  const Choice* choice = next(false);
  if (choice && view.is_enabled(choice->operation())) {
    ++followed_;
    return choice->operation();
  }
  diverge();
  return view.enabled.front();
}

std::uint32_t Replay::choose_value(const ScheduleView&, std::uint32_t bound) {
  const Choice* choice = next(true);
  if (choice && choice->value() < bound) {
    ++followed_;
    return choice->value();
  }
  diverge();
  return 0;
}

std::unique_ptr<Strategy> first_enabled() {
  auto strategy = std::make_unique<Replay>(std::span<const Choice>(), false);
  Random unused(0);
  strategy->begin(unused);
  return strategy;
}

}  // namespace heddle::strategy
