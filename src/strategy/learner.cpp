#include "strategy/learner.hpp"

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
  const std::uint64_t state = state_.value(view);
  const auto first = static_cast<std::uint32_t>(actions_.size());
  // The table is large: all its slots are fetched at once.
  keys_.clear();
  for (OperationId id : view.enabled) {
    const std::uint64_t key = (state ^ (names_(view, id) + 1ull) * kGolden) * kGolden;
    actions_known_.expect(key);
    keys_.push_back(key);
  }
  for (const std::uint64_t key : keys_) actions_.push_back(actions_known_.find(key));
  const std::uint32_t picked = decide(state, first);
  return view.enabled[picked];
}

std::uint32_t Learner::choose_value(const ScheduleView& view, std::uint32_t bound) {
  if (!learns_values_ || bound > kValuesMax) return random_->below(bound);
  // The operation that chooses tells this state from the one in which it stood before its last step.
  const std::uint64_t state = combine(state_.value(view), ~std::uint64_t{names_(view, view.current)});
  const auto first = static_cast<std::uint32_t>(actions_.size());
  for (std::uint32_t value = 0; value < bound; ++value)
    actions_.push_back(actions_known_.find(combine(state, ~std::uint64_t{value})));
  const std::uint32_t value = decide(state, first);
  decisions_.back().is_failure = view.is_failure && value == 1;
  return value;
}

std::uint32_t Learner::decide(std::uint64_t state, std::uint32_t first) {
  const auto count = static_cast<std::uint32_t>(actions_.size()) - first;
  const std::uint32_t picked = pick(state, actions_.span().subspan(first, count));
  decisions_.push_back({state, first, count, picked, note_, false});
  return picked;
}

void Learner::end(const ExecutionSummary&) {
  learn(decisions_.span());
  actions_known_.forget();
}

}  // namespace heddle::strategy
