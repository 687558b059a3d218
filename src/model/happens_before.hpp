// The happens-before relation: vector clocks of the operations and of everything they synchronise through.
//
// An operation's own clock advances when it releases, so that later actions are not taken for earlier ones. It also
// advances when the operation learns something, so that a moment (an Epoch) says exactly what the operation knew then.
// What it learned is kept in a log, which `knew` undoes. That is how a racing read learns from the write it saw
// (`read_from`), so that every race reported after it can really happen (SHB: Mathur, Kini and Viswanathan, OOPSLA
// 2018). In SHB a write is a moment of its own. Here it shares a moment with what its operation did around it, and the
// read learns all of that. So after the first race of an execution a later one may be missed, and no race is reported
// that SHB would not report.
//
// The definition of a release sequence depends on the standard. Since C++20 (P0982) only updates continue one. Before,
// later stores by the releasing operation did so too. For each atomic object, the operations that have released into it
// are recorded. So the other rule can be followed as well, from the first store at which the two differ, in a second
// HappensBefore: the partner. Races that exist under only one rule are reported as such.
//
// An operation publishes what it knows at most once at each value of its own clock, so an operation that knows this
// value knows all that was published with it. Whether a lock has anything new to tell is therefore one comparison, and
// only an operation that learns something takes time in proportion to the number of operations.
//
// Clocks continue from one execution to the next: a moment of an earlier execution is before everything in this one,
// and nothing has to be cleared. This file uses no threads and allocates nothing from the heap.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/epoch.hpp"

namespace heddle::model {

/// Memory orders as compilers pass them, with the values of C++.
enum class MemoryOrder : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

constexpr bool acquires(MemoryOrder order) { return order != MemoryOrder::relaxed && order != MemoryOrder::release; }
constexpr bool releases(MemoryOrder order) { return order >= MemoryOrder::release; }

/// What continues a release sequence, in addition to updates.
enum class Sequences : std::uint8_t {
  updates,     // nothing: C++20
  own_stores,  // stores of the operation that released: C++11, C++14, C++17
};

template <Pages kPages>
class HappensBeforeIn {
 public:
  /// The partner follows the older rule while this object follows the rule of C++20.
  explicit HappensBeforeIn(HappensBeforeIn* partner = nullptr) : partner_(partner) {}

  /// Forgets the last execution. Returns true if the clocks restarted, which makes any Epoch kept by the caller
  /// meaningless. `remembers`: record what operations knew and when, which is needed to continue an execution after a
  /// race.
  bool begin(bool remembers = true, Sequences sequences = Sequences::updates);

  /// A new operation knows what its parent knows; with kNoOperation, nothing.
  void add(OperationId child, OperationId parent);
  bool is_watched(OperationId id) const { return index(id) < operations_.size(); }
  /// The current moment of the operation.
  Epoch now(OperationId id) const { return operations_[index(id)].now; }
  /// The first clock value of this execution: lower values belong to earlier ones.
  std::uint32_t first_clock() const { return base_; }
  /// Did `epoch` happen before what `id` does now?
  bool is_before(Epoch epoch, OperationId id) const {
    return clock_of(epoch) <= time_of(operations_[index(id)].clock, index(operation_of(epoch)));
  }

  /// Did `earlier` happen before that moment of another operation? Requires `remembers`. An epoch of 0 is before
  /// nothing.
  bool is_before(Epoch earlier, Epoch later) const {
    if (earlier == 0 || later == 0) return false;
    const Operation& who = operations_[index(operation_of(later))];
    std::uint32_t known = time_of(who.clock, index(operation_of(earlier)));
    for (std::uint32_t at = who.learned; at != 0 && log_[at - 1].at > clock_of(later); at = log_[at - 1].previous)
      if (log_[at - 1].whom == index(operation_of(earlier))) known = log_[at - 1].before;
    return clock_of(earlier) <= known;
  }

  /// The same under the rule of C++17, if this object follows that of C++20.
  bool is_before_by_older_rule(Epoch epoch, OperationId id) const {
    return has_partner_ && partner_->is_before(epoch, id);
  }

  /// `id` has joined another operation, which has ended.
  void join(OperationId id, OperationId ended);

  // Anything that operations synchronise through. The caller chooses the numbers, from 0. Each has two clocks.
  enum Side : std::uint8_t { kFirst, kSecond };
  void release(OperationId id, std::uint32_t sync, Side side = kFirst);
  void acquire(OperationId id, std::uint32_t sync, Side side = kFirst);
  /// Moves the first clock to the second and empties the first: a barrier opens.
  void pass_on(std::uint32_t sync);
  /// This number now stands for another object.
  void forget(std::uint32_t sync);

  // Atomic objects and fences, as in C++.
  void load(OperationId id, std::uint32_t sync, MemoryOrder order);
  void store(OperationId id, std::uint32_t sync, MemoryOrder order);
  /// An update is a load followed by this. It continues what earlier releases began, whatever its own order.
  void carry_on(OperationId id, std::uint32_t sync, MemoryOrder order);
  void fence(OperationId id, MemoryOrder order);

  /// A plain read by `id` saw the value written at that moment.
  void read_from(OperationId id, Epoch write);

  /// The only operation has nothing to release: operations it creates later know everything it did before.
  bool is_alone() const { return operations_.size() == 1; }

 private:
  /// A range of numbers in values_. Entries beyond `size` are from before this execution.
  struct Clock {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };
  struct Operation {
    Epoch now = 0;
    std::uint32_t news = 0;  // how often it has learned something
    Clock clock;
    Clock at_release_fence;
    Clock of_relaxed_loads;     // what an acquire fence would learn
    std::uint32_t learned = 0;  // index + 1 of its last entry in log_; 0: nothing
  };
  struct SideClock : Clock {
    Epoch top = 0;           // if not 0: the last release, by an operation that knew all of this clock
    std::uint32_t news = 0;  // of that operation, then
  };
  struct Sync {
    SideClock sides[2];
    std::uint32_t heads = 0;  // index + 1 in heads_ of the start of the release sequences; 0: none
  };
  struct Head {  // everything that one operation has released into a sync since the last store by another
    OperationId who = kNoOperation;
    std::uint32_t next = 0;  // index + 1
    Clock clock;
  };
  struct Learned {
    std::uint32_t previous;  // index + 1 of the previous entry of the same operation
    std::uint32_t at;        // the operation's clock from which on it knew this
    std::uint32_t whom;
    std::uint32_t before;
  };

  std::uint32_t time_of(const Clock& clock, std::uint32_t whom) const {
    return whom < clock.size ? values_[clock.first + whom] : base_ - 1;
  }
  void grow(Clock& clock, std::uint32_t size);
  void set(Clock& clock, std::uint32_t whom, std::uint32_t time);
  void assign(Clock& to, const Clock& from);
  void join(Clock& to, const Clock& from);
  void learn(OperationId id, const Clock& from);
  void tick(OperationId id);
  Sync& sync(std::uint32_t number);
  bool knows(OperationId id, const SideClock& side) const { return side.top != 0 && is_before(side.top, id); }
  void release_into(OperationId id, std::uint32_t number, MemoryOrder order, bool is_update);
  std::uint32_t head_of(OperationId id, Sync& sync, bool is_update);
  void copy(const HappensBeforeIn& from);
  template <typename Do>
  void tell_partner(const Do& told) {
    if (has_partner_) [[unlikely]]
      told(*partner_);
  }
  const Clock& knew(Epoch moment);

  PageVector<std::uint32_t, kPages> values_;
  PageVector<Operation, kPages> operations_;
  PageVector<Sync, kPages> syncs_;
  PageVector<Head, kPages> heads_;
  PageVector<Learned, kPages> log_;
  Clock scratch_;
  std::uint32_t base_ = 1;
  std::uint32_t highest_ = 0;
  bool remembers_ = true;
  Sequences sequences_ = Sequences::updates;
  HappensBeforeIn* const partner_;
  bool has_partner_ = false;  // the two rules have differed in this execution
};

using HappensBefore = HappensBeforeIn<Pages::own>;

extern template class HappensBeforeIn<Pages::own>;
extern template class HappensBeforeIn<Pages::common>;

}  // namespace heddle::model
