// What happens before what: vector clocks of the operations, and of everything by which they synchronise.
//
// An operation's own clock moves when it releases, so that what it does after is not taken for what it did before, and
// when it learns something, so that a moment of it (an Epoch) says exactly what it knew then. What it learned is kept
// in a log, and `knew` undoes it: that is how a read that races learns from the write that it saw (`read_from`), so
// that every race reported after it is one that can really happen (SHB: Mathur, Kini and Viswanathan, OOPSLA 2018).
// There a write is a moment of its own; here it shares one with what its operation did around it, and the read learns
// of all of it. So after the first race of an execution a later one may be missed, and none is reported that SHB would
// not.
//
// What a release sequence is depends on the standard. Since C++20 (P0982) only updates carry one on; before, a later
// store of the operation that had released did so too. Of each atomic object it is kept who has released into it, so
// that the other rule can be followed as well from the first store on at which the two differ: in a second Order, the
// partner. Races that only one rule knows are told as such.
//
// Clocks go on from one execution to the next: a moment of an earlier one is before everything in this one, and nothing
// has to be cleared. No threads in it, and nothing is allocated from the heap.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "races/epoch.hpp"

namespace heddle::races {

/// Memory orders as the compilers pass them: those of C++.
enum class MemoryOrder : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

constexpr bool acquires(MemoryOrder order) { return order != MemoryOrder::relaxed && order != MemoryOrder::release; }
constexpr bool releases(MemoryOrder order) { return order >= MemoryOrder::release; }

/// What carries on a release sequence, besides updates.
enum class Sequences : std::uint8_t {
  updates,     // nothing: C++20
  own_stores,  // stores of the operation that released: C++11, C++14, C++17
};

class Order {
 public:
  /// The partner follows the older rule while this one follows that of C++20.
  explicit Order(Order* partner = nullptr) : partner_(partner) {}

  /// Forgets the last execution. True: the clocks began anew, so moments that somebody kept mean nothing any more.
  /// `remembers`: what operations knew and when, which is needed if the execution is to go on after a race.
  bool begin(bool remembers = true, Sequences sequences = Sequences::updates);

  /// A new operation knows what its parent knows; kNoOperation: nothing.
  void add(OperationId child, OperationId parent);
  bool is_watched(OperationId id) const { return index(id) < operations_.size(); }
  /// This moment of it.
  Epoch now(OperationId id) const { return operations_[index(id)].now; }
  /// The first clock of this execution: moments before it are of earlier ones.
  std::uint32_t first_clock() const { return base_; }
  /// Did it happen before what `id` does now?
  bool is_before(Epoch epoch, OperationId id) const {
    return clock_of(epoch) <= time_of(operations_[index(id)].clock, index(operation_of(epoch)));
  }

  /// The same under the rule of C++17, if this one is under that of C++20.
  bool is_before_by_older_rule(Epoch epoch, OperationId id) const {
    return has_partner_ && partner_->is_before(epoch, id);
  }

  /// `id` has waited for the end of another.
  void join(OperationId id, OperationId ended);

  // Anything by which operations synchronise; numbers are the caller's, from 0. Each has two clocks.
  enum Side : std::uint8_t { kFirst, kSecond };
  void release(OperationId id, std::uint32_t sync, Side side = kFirst);
  void acquire(OperationId id, std::uint32_t sync, Side side = kFirst);
  /// What came to the first clock goes over to the second, and the first is empty again: a barrier opens.
  void pass_on(std::uint32_t sync);
  /// Another object stands for that number now.
  void forget(std::uint32_t sync);

  // Atomic objects and fences, as C++ has them.
  void load(OperationId id, std::uint32_t sync, MemoryOrder order);
  void store(OperationId id, std::uint32_t sync, MemoryOrder order);
  /// An update is a load and this: it carries on what earlier releases began, whatever its own order.
  void carry_on(OperationId id, std::uint32_t sync, MemoryOrder order);
  void fence(OperationId id, MemoryOrder order);

  /// A plain read by `id` saw what was written at that moment.
  void read_from(OperationId id, Epoch write);

  /// Those who come later know all that the first one does before it creates them: it has nothing to tell them.
  bool is_alone() const { return operations_.size() == 1; }

 private:
  /// Of numbers in values_; beyond `size` all are those of before this execution.
  struct Clock {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };
  struct Operation {
    Epoch now = 0;
    Clock clock;
    Clock at_release_fence;
    Clock of_relaxed_loads;     // what an acquire fence would learn
    std::uint32_t learned = 0;  // index + 1 of the last in log_; 0: nothing
  };
  struct Sync {
    Clock sides[2];
    std::uint32_t heads = 0;  // index + 1 in heads_: what began the release sequences; 0: nothing
  };
  struct Head {  // all that one operation has released into a sync since another one's store
    OperationId who = kNoOperation;
    std::uint32_t next = 0;  // index + 1
    Clock clock;
  };
  struct Learned {
    std::uint32_t previous;  // index + 1 of the one before, of the same operation
    std::uint32_t at;        // the clock of the operation from which on it knew
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
  void release_into(OperationId id, std::uint32_t number, MemoryOrder order, bool is_update);
  std::uint32_t head_of(OperationId id, Sync& sync, bool is_update);
  void copy(const Order& from);
  template <typename Do>
  void tell_partner(const Do& told) {
    if (has_partner_) [[unlikely]]
      told(*partner_);
  }
  const Clock& knew(Epoch moment);

  PageVector<std::uint32_t> values_;
  PageVector<Operation> operations_;
  PageVector<Sync> syncs_;
  PageVector<Head> heads_;
  PageVector<Learned> log_;
  Clock scratch_;
  std::uint32_t base_ = 1;
  std::uint32_t highest_ = 0;
  bool remembers_ = true;
  Sequences sequences_ = Sequences::updates;
  Order* const partner_;
  bool has_partner_ = false;  // the rules have differed
};

}  // namespace heddle::races
