#include "strategy/feedback/enforced_order.hpp"

#include "model/dependence.hpp"

namespace heddle::strategy {

OperationId EnforcedOrder::choose(const ScheduleView& view, Random& random) {
  if (--patience_ == 0) size_ = 0;
  if (is_on() && reached_ == 0 && meets_)
    if (const OperationId met = meeting(view); met != kNoOperation) return met;
  // Uniform over the operations of the best standing.
  OperationId chosen = kNoOperation;
  std::uint32_t alike = 0;
  int best = -1;
  for (OperationId id : view.enabled) {
    const Standing now = is_on() ? standing(id, view.next(id)) : Standing::free;
    const int rank = now == Standing::has_turn ? 3 : now == Standing::free ? 2 : now == Standing::is_first ? 1 : 0;
    if (rank < best) continue;
    if (rank > best) alike = 0;
    best = rank;
    if (random.below(++alike) == 0) chosen = id;
  }
  return chosen;
}

void EnforcedOrder::step(const ScheduleView& view, OperationId who) {
  const model::Event event = view.next(who);
  if (matches(reached_, who, event)) {
    reach(who, event);
    return;
  }
  if (reached_ == 0) return;
  bool is_out_of_turn = disturbs(event);
  for (std::size_t i = reached_ + 1; i < size_ && !is_out_of_turn; ++i) is_out_of_turn = matches(i, who, event);
  if (!is_out_of_turn) return;
  restart();
  if (matches(0, who, event)) reach(who, event);
}

void EnforcedOrder::reach(OperationId who, const model::Event& event) {
  const Slot& slot = slots_[reached_++];
  who_[slot.role] = who;
  resource_[slot.variable] = event.resource;
  if (reached_ == size_) size_ = 0;
}

bool EnforcedOrder::matches(std::size_t at, OperationId id, const model::Event& event) const {
  const Slot& slot = slots_[at];
  if (event.place != slot.site.place || event.kind != slot.site.kind) return false;
  const OperationId mine = who_[slot.role];
  const ResourceId resource = resource_[slot.variable];
  return (mine != kNoOperation ? mine == id : who_[1 - slot.role] != id) &&
         (resource != kNoResource ? resource == event.resource : resource_[1 - slot.variable] != event.resource);
}

EnforcedOrder::Standing EnforcedOrder::standing(OperationId id, const model::Event& event) const {
  if (matches(reached_, id, event)) {
    if (reached_ > 0) return Standing::has_turn;
    return meets_ ? Standing::is_first : Standing::free;
  }
  for (std::size_t i = reached_ + 1; i < size_; ++i)
    if (matches(i, id, event)) return Standing::stays;
  return disturbs(event) ? Standing::stays : Standing::free;
}

/// The last access and the next one form a dependency, and this event would come between them.
bool EnforcedOrder::disturbs(const model::Event& event) const {
  if (reached_ == 0 || !competes(event) || !changes(event)) return false;
  const Slot& last = slots_[reached_ - 1];
  const Slot& next = slots_[reached_];
  return last.role != next.role && last.variable == next.variable && event.resource == resource_[last.variable];
}

/// Returns an operation at the first access if another is at the second, and at the same resource where that matters.
OperationId EnforcedOrder::meeting(const ScheduleView& view) const {
  OperationId second = kNoOperation;
  for (OperationId id : view.enabled)
    if (second == kNoOperation && matches(1, id, view.next(id))) second = id;
  if (second == kNoOperation) return kNoOperation;
  const bool is_one_resource = slots_[0].variable == slots_[1].variable;
  for (OperationId id : view.enabled)
    if (id != second && matches(0, id, view.next(id)) &&
        (!is_one_resource || view.next(id).resource == view.next(second).resource))
      return id;
  return kNoOperation;
}

}  // namespace heddle::strategy
