// The state of the program, as far as heddle sees it, as one number for the strategies that learn.
//
// For every operation that could go on, or has just gone, it includes what the operation is about to do, to which
// resource, at which place in the code, and which locks it holds; and whatever the program has shown with
// heddle::observe. The numbers of the operations are added up. So states that differ only by a permutation of
// operations are the same, as in the QL paper (section 5, "QL scheduler").
//
// For a state machine that sends or receives, as in that paper, it includes that fact and what the machine shows: its
// state and its inbox. Adding the receiver and the line would distinguish too many states to learn from. With them
// avoid finds the bug of Raft (bench/protocols_bench.cpp, raft_v2) in 3 of 10 explorations instead of in all.
//
// A waiting operation keeps the number it had when it was last seen; the number changes when the operation can go on.
// An operation that has ended counts only as that.
//
// `Look::own` includes only what was shown. `Look::kinds` is the default of that paper: which kind of event each
// operation is about to make and which locks it holds, but neither place nor resource, and what machines show, but
// nothing that threads do. The paper says that the default of tasks is their locks alone. The authors' program adds the
// kind of event, and without it the paper's programs with two threads and one lock would have a single state.
#pragma once

#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/held_locks.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class StateHash {
 public:
  enum class Look : std::uint8_t { all, own, kinds };

  explicit StateHash(Look look) : look_(look) {}

  void begin() {
    resources_.begin();
    held_.begin();
    operations_.clear();
    sum_ = 0;
    stepped_ = kNoOperation;
  }

  /// `who` takes its step. The locks that it takes or releases are looked at when the step is complete.
  void step(const ScheduleView& view, OperationId who) {
    if (stepped_ != kNoOperation) refresh(view, stepped_);
    stepped_ = who;
    if (look_ != Look::own && held_.step(view, who)) operation(who).locks_changed = true;
  }

  std::uint64_t value(const ScheduleView& view) {
    if (stepped_ != kNoOperation) refresh(view, stepped_);
    if (view.current != kNoOperation && view.current != stepped_) refresh(view, view.current);
    stepped_ = kNoOperation;
    for (OperationId id : view.enabled) refresh(view, id);
    return look_ == Look::kinds ? sum_ : sum_ + view.observed;
  }

 private:
  static constexpr std::uint64_t kEnded = kGolden;  // the number of an ended operation

  struct Operation {
    model::Event seen;  // when it was last looked at
    std::uint64_t observed = 0;
    std::uint64_t part = 0;  // its contribution to the sum
    std::uint64_t holds = 0;
    bool locks_changed = false;
    bool has_ended = false;
  };

  Operation& operation(OperationId id) {
    if (operations_.size() <= index(id)) [[unlikely]]
      operations_.resize(index(id) + 1);
    return operations_[index(id)];
  }

  void look_at_locks(const ScheduleView& view, OperationId who, Operation& mine) {
    mine.locks_changed = false;
    mine.holds = 0;
    held_.for_each(view, who, [&](ResourceId lock) { mine.holds += mix(resources_(view, lock)); });
  }

  void refresh(const ScheduleView& view, OperationId id) {
    Operation& mine = operation(id);
    const Candidate& candidate = view.candidates[index(id)];
    const model::Event& next = candidate.next;
    if (mine.part != 0 && !mine.locks_changed && mine.seen.place == next.place && mine.seen.kind == next.kind &&
        mine.seen.resource == next.resource && mine.observed == candidate.observed &&
        mine.has_ended == candidate.has_ended) [[likely]]
      return;
    sum_ -= mine.part;
    if (mine.locks_changed) look_at_locks(view, id, mine);
    mine.seen = next;
    mine.observed = candidate.observed;
    mine.has_ended = candidate.has_ended;
    mine.part = look_ == Look::own ? mix(candidate.observed) : part_of(view, mine);
    sum_ += mine.part;
  }

  std::uint64_t part_of(const ScheduleView& view, const Operation& mine) {
    using model::EventKind;
    if (mine.has_ended) return kEnded;
    const EventKind kind = mine.seen.kind;
    const bool is_of_machine = kind == EventKind::send || kind == EventKind::receive;
    const bool shows = look_ != Look::kinds || is_of_machine || kind == EventKind::create;
    const std::uint64_t about = is_of_machine || look_ == Look::kinds
                                    ? static_cast<std::uint64_t>(kind)
                                    : std::uint64_t{sites_(mine.seen)} << 32 | resources_(view, mine.seen.resource);
    return mix((about ^ (shows ? mine.observed : 0)) * kGolden + mine.holds) | 1;  // 0 means not looked at yet
  }

  Look look_;
  ResourceNames resources_;
  SiteNames sites_;
  HeldLocks held_;
  CommonVector<Operation> operations_;
  std::uint64_t sum_ = 0;
  OperationId stepped_ = kNoOperation;  // the operation whose step has not been looked at yet
};

}  // namespace heddle::strategy
