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
  rings_.aim_at(target_);
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
  if (!is_tried_) rings_.tried(target_);
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
  const std::uint32_t held = rings_.held_by_who_wants(name_of(view, next.resource));
  if (held == LockRings::kNothing) return false;
  bool found = false;
  held_.for_each(view, id, [&](ResourceId lock) { found = found || name_of(view, lock) == held; });
  return found;
}

void Prediction::on_step(const ScheduleView& view, OperationId who) {
  const model::Event& next = view.next(who);
  if (!looks_on_) races_.step(view, who);
  if (HeldLocks::is_wanted(next.kind)) remember(view, who);
  held_.step(view, who);
}

void Prediction::remember(const ScheduleView& view, OperationId who) {
  const std::uint64_t what = note_held(view, who);
  if (all_held_.empty()) return;
  const model::Event& next = view.next(who);
  LockRings::Edge edge{.wanted = name_of(view, next.resource), .wants = model::row(next.kind).does};
  for (const Held& held : all_held_) {
    edge.held = held.name;
    edge.has = held.does;
    if (edge.held != edge.wanted || edge.held == kAnyFile)
      rings_.learn(edge, operations_(view, who), alone_.span(), what);
  }
}

/// Returns a hash of all locks that the operation holds, and how.
std::uint64_t Prediction::note_held(const ScheduleView& view, OperationId who) {
  std::uint64_t what = 0;
  all_held_.clear();
  alone_.clear();
  held_.for_each(view, who, [&](ResourceId lock) {
    const std::uint32_t name = name_of(view, lock);
    const bool is_alone = HeldLocks::is_exclusive(view.resource(lock), who);
    const bool is_shared = !is_alone && name != kAnyFile;
    all_held_.push_back({name, is_shared ? model::Does::shares : model::Does::takes});
    if (is_alone) alone_.push_back(name);
    what += mix(std::uint64_t{name} << 1 | is_shared);
  });
  return what;
}

void Prediction::end(const ExecutionSummary& summary) {
  races_.end(summary.points);
  if (is_tried_ && summary.verdict.kind == VerdictKind::deadlock) rings_.closed(target_);
  predict();
}

void Prediction::predict() {
  const std::size_t before = rings_.size();
  rings_.search();
  if (next_ != kNone || rings_.size() > before) next_ = rings_.next();
}

std::unique_ptr<Prediction> make_prediction() { return std::make_unique<Prediction>(); }

}  // namespace heddle::strategy
