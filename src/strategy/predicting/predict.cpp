#include "strategy/predicting/predict.hpp"

#include "base/hash.hpp"
#include "strategy/builtin.hpp"

namespace heddle::strategy {

void Prediction::begin_looking_on() {
  operations_.begin();
  resources_.begin();
  held_.begin();
  target_ = kNone;
  goes_for_race_ = false;
  looks_on_ = true;
}

bool Prediction::begin(Random& random) {
  begin_looking_on();
  looks_on_ = false;
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
  if (!HeldLocks::is_wanted(next.kind)) return false;
  const Ring& ring = rings_[target_];
  const std::uint32_t who = operations_(view, id);
  const std::uint32_t wanted = name_of(view, next.resource);
  bool found = false;
  for (std::uint32_t i = 0; i < ring.size && !found; ++i) {
    const Pair& pair = pairs_[ring.pairs[i]];
    if (pair.who != who || pair.wanted != wanted) continue;
    held_.for_each(view, id, [&](ResourceId lock) { found = found || name_of(view, lock) == pair.held; });
  }
  return found;
}

void Prediction::on_step(const ScheduleView& view, OperationId who) {
  const model::Event& next = view.next(who);
  if (!looks_on_) races_.step(view, who);
  if (HeldLocks::is_wanted(next.kind)) remember(view, who);
  held_.step(view, who);
}

void Prediction::remember(const ScheduleView& view, OperationId who) {
  const model::Event& next = view.next(who);
  Pair pair{.who = operations_(view, who), .wanted = name_of(view, next.resource)};
  pair.wants = model::row(next.kind).does;
  struct Held {
    std::uint32_t name;
    model::Does does;
  };
  std::array<Held, HeldLocks::kLocks> all;
  std::uint32_t count = 0;
  std::uint64_t set = 0;
  held_.for_each(view, who, [&](ResourceId lock) {
    const bool is_exclusive = HeldLocks::is_exclusive(view.resource(lock), who);
    const bool is_shared = !is_exclusive && name_of(view, lock) != kAnyFile;
    const Held& held = all[count++] = {name_of(view, lock), is_shared ? model::Does::shares : model::Does::takes};
    if (is_exclusive) pair.holds[pair.hold_count++] = held.name;
    set += mix(std::uint64_t{held.name} << 1 | only_looks(held.does));
  });
  for (std::uint32_t i = 0; i < count && pairs_.size() < kPairsMax; ++i) {
    pair.held = all[i].name;
    pair.has = all[i].does;
    if (pair.held == pair.wanted && pair.held != kAnyFile) continue;
    const std::uint64_t what = combine(mix(std::uint64_t{pair.who} << 32 | pair.held), pair.wanted);
    const std::uint32_t known = pair_names_(combine(what, set << 1 | only_looks(pair.wants)));
    if (known == pairs_.size()) pairs_.push_back(pair);
  }
}

void Prediction::end(const ExecutionSummary& summary) {
  races_.end(summary.points);
  if (is_tried_ && summary.verdict.kind == VerdictKind::deadlock) rings_[target_].closed = true;
  predict();
}

/// Finds the rings with at least one new pair. Each ring is found from the newest of its pairs.
void Prediction::predict() {
  const std::size_t before = rings_.size();
  looks_ = 0;
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
  if (ring.size > 1 && waits_for(last, first)) {
    if (rings_.size() < kTargetsMax) rings_.push_back(ring);
    return;
  }
  if (ring.size == kRingMax) return;
  for (std::uint32_t i = 0; i < looked_at_; ++i) {
    if (++looks_ > kLooksMax) return;
    if (!waits_for(last, pairs_[i]) || !can_join(ring, pairs_[i])) continue;
    ring.pairs[ring.size++] = i;
    extend(ring);
    --ring.size;
  }
}

bool Prediction::waits_for(const Pair& one, const Pair& other) {
  return one.wanted == other.held && model::conflict(one.wants, other.has);
}

/// The pair belongs to another operation, and no lock held by a member excludes it.
bool Prediction::can_join(const Ring& ring, const Pair& pair) const {
  for (std::uint32_t j = 0; j < ring.size; ++j) {
    const Pair& member = pairs_[ring.pairs[j]];
    if (member.who == pair.who) return false;
    for (std::uint32_t a = 0; a < member.hold_count; ++a)
      for (std::uint32_t b = 0; b < pair.hold_count; ++b)
        if (member.holds[a] == pair.holds[b]) return false;
  }
  return true;
}

/// The ring tried least often; the oldest of several.
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
