#include "strategy/predict.hpp"

#include "base/hash.hpp"
#include "strategy/builtin.hpp"

namespace heddle::strategy {

using model::EventKind;

bool Prediction::begin(Random& random) {
  operations_.begin();
  resources_.begin();
  held_.begin();
  target_ = next_;
  is_tried_ = false;
  races_.begin();
  goes_for_race_ = target_ == kNone && races_.has_target();
  return Randomised::begin(random);
}

OperationId Prediction::choose_operation(const ScheduleView& view) {
  if (target_ != kNone) return go_for_ring(view);
  const OperationId chosen = goes_for_race_ ? races_.choose(view) : kNoOperation;
  return chosen != kNoOperation ? chosen : any_of(view.enabled);
}

OperationId Prediction::go_for_ring(const ScheduleView& view) {
  if (!is_tried_) ++rings_[target_].tries;
  is_tried_ = true;
  OperationId chosen = kNoOperation;
  std::uint32_t others = 0;
  for (OperationId id : view.enabled)
    if (!stays(view, id) && random_->below(++others) == 0) chosen = id;
  return chosen != kNoOperation ? chosen : any_of(view.enabled);
}

bool Prediction::stays(const ScheduleView& view, OperationId id) {
  const model::Event& next = view.next(id);
  if (next.kind != EventKind::lock) return false;
  const Ring& ring = rings_[target_];
  const std::uint32_t who = operations_(view, id);
  const std::uint32_t wanted = resources_(view, next.resource);
  bool found = false;
  for (std::uint32_t i = 0; i < ring.size && !found; ++i) {
    const Pair& pair = pairs_[ring.pairs[i]];
    if (pair.who != who || pair.wanted != wanted) continue;
    held_.for_each(view, id, [&](ResourceId lock) { found = found || resources_(view, lock) == pair.held; });
  }
  return found;
}

void Prediction::on_step(const ScheduleView& view, OperationId who) {
  const model::Event& next = view.next(who);
  const std::uint32_t name = operations_(view, who);
  races_.step(view, who);
  if (next.kind == EventKind::lock || next.kind == EventKind::timed_lock) {
    const std::uint32_t wanted = resources_(view, next.resource);
    held_.for_each(view, who, [&](ResourceId lock) {
      const std::uint32_t held = resources_(view, lock);
      if (held == wanted || pairs_.size() == kPairsMax) return;
      const std::uint32_t pair = pair_names_(combine(mix(std::uint64_t{name} << 32 | held), wanted));
      if (pair == pairs_.size()) pairs_.push_back({name, held, wanted});
    });
  }
  held_.step(view, who);
}

void Prediction::end(const ExecutionSummary& summary) {
  races_.end(summary.points);
  if (is_tried_ && summary.verdict.kind == VerdictKind::deadlock) rings_[target_].closed = true;
  predict();
}

/// Rings with at least one pair that was not there before; each is found from the newest of its pairs.
void Prediction::predict() {
  const std::size_t before = rings_.size();
  for (; looked_at_ < pairs_.size(); ++looked_at_) {
    Ring ring;
    ring.pairs[ring.size++] = static_cast<std::uint32_t>(looked_at_);
    extend(ring);
  }
  if (next_ != kNone || rings_.size() > before) next_ = next_target();
}

void Prediction::extend(Ring& ring) {
  const Pair& first = pairs_[ring.pairs[0]];
  const Pair& last = pairs_[ring.pairs[ring.size - 1]];
  if (ring.size > 1 && last.wanted == first.held) {
    if (rings_.size() < kTargetsMax) rings_.push_back(ring);
    return;
  }
  if (ring.size == kRingMax) return;
  for (std::uint32_t i = 0; i < looked_at_; ++i) {
    const Pair& pair = pairs_[i];
    if (pair.held != last.wanted) continue;
    bool is_another = true;
    for (std::uint32_t j = 0; j < ring.size; ++j) is_another = is_another && pairs_[ring.pairs[j]].who != pair.who;
    if (!is_another) continue;
    ring.pairs[ring.size++] = i;
    extend(ring);
    --ring.size;
  }
}

/// The one that was tried least, the oldest of those.
std::size_t Prediction::next_target() const {
  std::size_t best = kNone;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    const Ring& ring = rings_[i];
    if (ring.closed || ring.tries >= kTries) continue;
    if (best == kNone || ring.tries < rings_[best].tries) best = i;
  }
  return best;
}

std::unique_ptr<Prediction> make_prediction() { return std::make_unique<Prediction>(); }

}  // namespace heddle::strategy
