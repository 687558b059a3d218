#include "strategy/learning/learner.hpp"

namespace heddle::strategy {

bool Learner::begin(Random& random) {
  random_ = &random;
  state_.begin();
  names_.begin();
  actions_.clear();
  decisions_.clear();
  return true;
}

OperationId Learner::choose_operation(const ScheduleView& view) {
  const std::uint32_t state = known_.find(state_.value(view));
  const auto first = static_cast<std::uint32_t>(actions_.size());
  const auto count = static_cast<std::uint32_t>(view.enabled.size());
  actions_.reserve(first + count);
  for (std::uint32_t i = 0; i < count; ++i) actions_.append(known_.action(state, names_(view, view.enabled[i]), i));
  const bool is_unknown = visits(state)++ == 0;
  const std::uint32_t picked = is_unknown ? pick_unknown(view, actions_from(first)) : pick(actions_from(first));
  decided(state, first, picked);
  return view.enabled[picked];
}

std::uint32_t Learner::choose_value(const ScheduleView& view, std::uint32_t bound) {
  if (!learns_values_ || bound > kValuesMax) return random_->below(bound);
  // Adding the choosing operation distinguishes this state from the one before that operation's last step.
  const std::uint32_t state = known_.find(combine(state_.value(view), ~std::uint64_t{names_(view, view.current)}));
  const auto first = static_cast<std::uint32_t>(actions_.size());
  for (std::uint32_t value = 0; value < bound; ++value) actions_.append(known_.action(state, value, value));
  ++visits(state);
  const std::uint32_t value = pick(actions_from(first));
  decided(state, first, value);
  decisions_.back().is_failure = view.is_failure && value == 1;
  return value;
}

void Learner::end(const ExecutionSummary&) {
  learn(decisions_.span());
  if (known_.forget()) forgot();
}

}  // namespace heddle::strategy
