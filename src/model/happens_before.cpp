#include "model/happens_before.hpp"

#include <algorithm>

namespace heddle::model {

template <Pages kPages>
bool HappensBeforeIn<kPages>::begin(bool remembers, Sequences sequences) {
  remembers_ = remembers;
  sequences_ = sequences;
  has_partner_ = false;
  values_.clear();
  operations_.clear();
  syncs_.clear();
  heads_.clear();
  log_.clear();
  scratch_ = {};
  const bool anew = highest_ > kClockMax / 2;
  base_ = anew ? 1 : highest_ + 1;
  highest_ = base_;
  return anew;
}

template <Pages kPages>
void HappensBeforeIn<kPages>::add(OperationId child, OperationId parent) {
  tell_partner([=](HappensBeforeIn& partner) { partner.add(child, parent); });
  if (index(child) >= kOperationsMax) return;
  while (operations_.size() <= index(child)) {  // operations in between belong to another front end and are not watched
    const OperationId id{static_cast<std::uint32_t>(operations_.size())};
    operations_.append().now = make_epoch(id, base_);
    set(operations_.back().clock, index(id), base_);
  }
  if (parent == kNoOperation || !is_watched(parent)) return;
  join(operations_[index(child)].clock, operations_[index(parent)].clock);
  ++operations_[index(child)].news;
  tick(parent);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::join(OperationId id, OperationId ended) {
  tell_partner([=](HappensBeforeIn& partner) { partner.join(id, ended); });
  if (is_watched(id) && is_watched(ended)) learn(id, operations_[index(ended)].clock);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::release(OperationId id, std::uint32_t number, Side side) {
  tell_partner([=](HappensBeforeIn& partner) { partner.release(id, number, side); });
  if (!is_watched(id) || is_alone()) return;
  SideClock& to = sync(number).sides[side];
  const Operation& from = operations_[index(id)];
  if (to.top != 0 && operation_of(to.top) == id && to.news == from.news) {  // since then, only its own clock advanced
    set(to, index(id), clock_of(from.now));
    to.top = from.now;
  } else if (to.size == 0 || knows(id, to)) {
    assign(to, from.clock);
    to.top = from.now;
    to.news = from.news;
  } else {
    join(to, from.clock);
    to.top = 0;
  }
  if (clock_of(from.now) == kClockMax) to.top = 0;  // a clock that has stopped no longer tells
  tick(id);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::acquire(OperationId id, std::uint32_t number, Side side) {
  tell_partner([=](HappensBeforeIn& partner) { partner.acquire(id, number, side); });
  if (!is_watched(id)) return;
  if (const SideClock& from = sync(number).sides[side]; !knows(id, from)) learn(id, from);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::pass_on(std::uint32_t number) {
  tell_partner([=](HappensBeforeIn& partner) { partner.pass_on(number); });
  Sync& passed = sync(number);
  assign(passed.sides[kSecond], passed.sides[kFirst]);
  passed.sides[kFirst].size = 0;
  for (SideClock& side : passed.sides) side.top = 0;
}

template <Pages kPages>
void HappensBeforeIn<kPages>::forget(std::uint32_t number) {
  tell_partner([=](HappensBeforeIn& partner) { partner.forget(number); });
  if (number >= syncs_.size()) return;
  syncs_[number].heads = 0;
  for (SideClock& side : syncs_[number].sides) {
    side.size = 0;
    side.top = 0;
  }
}

template <Pages kPages>
void HappensBeforeIn<kPages>::load(OperationId id, std::uint32_t number, MemoryOrder order) {
  tell_partner([=](HappensBeforeIn& partner) { partner.load(id, number, order); });
  if (!is_watched(id)) return;
  if (acquires(order))
    learn(id, sync(number).sides[kFirst]);
  else
    join(operations_[index(id)].of_relaxed_loads, sync(number).sides[kFirst]);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::store(OperationId id, std::uint32_t number, MemoryOrder order) {
  if (is_watched(id) && !is_alone()) release_into(id, number, order, false);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::carry_on(OperationId id, std::uint32_t number, MemoryOrder order) {
  if (is_watched(id) && !is_alone()) release_into(id, number, order, true);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::fence(OperationId id, MemoryOrder order) {
  tell_partner([=](HappensBeforeIn& partner) { partner.fence(id, order); });
  if (!is_watched(id) || is_alone()) return;
  if (acquires(order)) learn(id, operations_[index(id)].of_relaxed_loads);
  if (releases(order)) {
    assign(operations_[index(id)].at_release_fence, operations_[index(id)].clock);
    tick(id);
  }
}

template <Pages kPages>
void HappensBeforeIn<kPages>::read_from(OperationId id, Epoch write) {
  if (!remembers_ || !is_watched(id) || is_before(write, id)) return;
  learn(id, knew(write));
  if (clock_of(now(operation_of(write))) == clock_of(write)) tick(operation_of(write));
}

/// A store or update publishes what its operation releases, and what the release sequences that it belongs to release.
template <Pages kPages>
void HappensBeforeIn<kPages>::release_into(OperationId id, std::uint32_t number, MemoryOrder order, bool is_update) {
  Sync& to = sync(number);
  to.sides[kFirst].top = 0;
  const std::uint32_t head = head_of(id, to, is_update);  // index + 1
  const bool rules_differ = !is_update && !releases(order) && head != 0 && heads_[head - 1].clock.size > 0;
  if (rules_differ && partner_ != nullptr && !has_partner_ && sequences_ == Sequences::updates && !remembers_) {
    partner_->copy(*this);
    has_partner_ = true;
  }
  tell_partner([=](HappensBeforeIn& partner) { partner.release_into(id, number, order, is_update); });

  const Operation& from = operations_[index(id)];
  const Clock& given = releases(order) ? from.clock : from.at_release_fence;
  if (is_update)
    join(to.sides[kFirst], given);
  else
    assign(to.sides[kFirst], given);
  if (!is_update && head != 0 && sequences_ == Sequences::own_stores) join(to.sides[kFirst], heads_[head - 1].clock);
  if (given.size > 0) {
    if (head == 0) {
      heads_.push_back({id, to.heads, {}});
      to.heads = static_cast<std::uint32_t>(heads_.size());
    }
    join(heads_[(head != 0 ? head : to.heads) - 1].clock, given);
  }
  if (releases(order)) tick(id);
}

/// A store ends the release sequences of all other operations. Returns index + 1; 0: this operation has released
/// nothing.
template <Pages kPages>
std::uint32_t HappensBeforeIn<kPages>::head_of(OperationId id, Sync& sync, bool is_update) {
  std::uint32_t at = sync.heads;
  while (at != 0 && heads_[at - 1].who != id) at = heads_[at - 1].next;
  if (is_update) return at;
  sync.heads = at;
  if (at != 0) heads_[at - 1].next = 0;
  return at;
}

namespace {

template <typename T, Pages kPages>
void copy_all(PageVector<T, kPages>& to, const PageVector<T, kPages>& from) {
  to.clear();
  to.reserve(from.size());
  for (const T& one : from) to.push_back(one);
}

}  // namespace

template <Pages kPages>
void HappensBeforeIn<kPages>::copy(const HappensBeforeIn& from) {
  copy_all(values_, from.values_);
  copy_all(operations_, from.operations_);
  copy_all(syncs_, from.syncs_);
  copy_all(heads_, from.heads_);
  log_.clear();
  scratch_ = {};
  base_ = from.base_;
  highest_ = from.highest_;
  remembers_ = false;
  sequences_ = Sequences::own_stores;
}

template <Pages kPages>
typename HappensBeforeIn<kPages>::Sync& HappensBeforeIn<kPages>::sync(std::uint32_t number) {
  while (syncs_.size() <= number) syncs_.append();
  return syncs_[number];
}

template <Pages kPages>
void HappensBeforeIn<kPages>::grow(Clock& clock, std::uint32_t size) {
  if (size > clock.capacity) {
    const std::uint32_t capacity = std::max(size, clock.capacity * 2);
    const auto first = static_cast<std::uint32_t>(values_.size());
    values_.reserve(first + capacity);
    for (std::uint32_t i = 0; i < capacity; ++i)
      values_.push_back(i < clock.size ? values_[clock.first + i] : base_ - 1);
    clock.first = first;
    clock.capacity = capacity;
  } else {
    for (std::uint32_t i = clock.size; i < size; ++i) values_[clock.first + i] = base_ - 1;
  }
  clock.size = std::max(clock.size, size);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::set(Clock& clock, std::uint32_t whom, std::uint32_t time) {
  if (whom >= clock.size) grow(clock, whom + 1);
  values_[clock.first + whom] = time;
}

template <Pages kPages>
void HappensBeforeIn<kPages>::assign(Clock& to, const Clock& from) {
  to.size = 0;
  grow(to, from.size);
  for (std::uint32_t i = 0; i < from.size; ++i) values_[to.first + i] = values_[from.first + i];
}

template <Pages kPages>
void HappensBeforeIn<kPages>::join(Clock& to, const Clock& from) {
  if (from.size > to.size) grow(to, from.size);
  for (std::uint32_t i = 0; i < from.size; ++i)
    values_[to.first + i] = std::max(values_[to.first + i], values_[from.first + i]);
}

template <Pages kPages>
void HappensBeforeIn<kPages>::learn(OperationId id, const Clock& from) {
  Operation& who = operations_[index(id)];
  if (from.size > who.clock.size) grow(who.clock, from.size);
  bool is_news = false;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    std::uint32_t& known = values_[who.clock.first + i];
    if (values_[from.first + i] <= known) continue;
    if (remembers_) {
      log_.push_back({who.learned, clock_of(who.now) + 1, i, known});
      who.learned = static_cast<std::uint32_t>(log_.size());
    }
    known = values_[from.first + i];
    is_news = true;
  }
  if (is_news) ++who.news;
  if (is_news && remembers_) tick(id);
}

// At the end of its range a clock stops. Later events are then ordered as if they came before an earlier release. That
// can hide a race but never reports a false one.
template <Pages kPages>
void HappensBeforeIn<kPages>::tick(OperationId id) {
  Operation& who = operations_[index(id)];
  if (clock_of(who.now) == kClockMax) return;
  ++who.now;
  const std::uint32_t clock = clock_of(who.now);
  set(who.clock, index(id), clock);
  highest_ = std::max(highest_, clock);
}

template <Pages kPages>
const typename HappensBeforeIn<kPages>::Clock& HappensBeforeIn<kPages>::knew(Epoch moment) {
  const Operation& who = operations_[index(operation_of(moment))];
  assign(scratch_, who.clock);
  for (std::uint32_t at = who.learned; at != 0 && log_[at - 1].at > clock_of(moment); at = log_[at - 1].previous)
    values_[scratch_.first + log_[at - 1].whom] = log_[at - 1].before;
  values_[scratch_.first + index(operation_of(moment))] = clock_of(moment);
  return scratch_;
}

template class HappensBeforeIn<Pages::own>;
template class HappensBeforeIn<Pages::common>;

}  // namespace heddle::model
