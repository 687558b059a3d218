// Which two events of an execution another schedule can put next to each other without taking any lock in another
// order: sync-preserving prediction. Mathur, Pavlogiannis and Viswanathan, "Optimal prediction of synchronization-
// preserving races", POPL 2021.
//
// A reordering takes of every thread the events up to some point, lets every read see the write that it saw, and has
// the critical sections of each lock in the order that they had. Two events can meet if there is one after which both
// are the next of their threads. The least one is a closure: what comes before the two in their threads; with an event
// all before it in its thread, the write that it read, and what else it waited for; and of two acquires of one lock
// the release of the earlier. The two meet if neither is in it, and the closure in the order of the trace leads there.
//
// The paper finds all races of a trace in one pass; here a pair is asked for, at the cost of a walk over its closure.
// Besides reads, writes and locks there are events of which nothing is known but that all of one object depend on each
// other (`sync`: semaphores, conditions, barriers): they keep their order, which is sound and may miss something. So
// does a try for a lock that failed: nothing that comes after it can meet anything.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::strategy {

enum class SyncKind : std::uint8_t {
  step,    // touches nothing
  create,  // the next thread that begins and names this one as its maker was made here
  join,    // object: the thread that ended
  read,
  write,
  update,   // reads and writes
  acquire,  // a lock; again by the one who has it: as if nothing
  release,
  sync,  // depends on all earlier ones of its object
  wait,  // sync, and gives back every lock that others take before this thread goes on
  failed,
};

class SyncTrace {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  struct Event {
    SyncKind kind = SyncKind::step;
    std::uint32_t thread = 0;
    std::uint32_t object = kNone;    // reads, writes and updates, locks, and sync events have their own numbers each
    std::uint32_t position = 0;      // in its thread
    std::uint32_t before = kNone;    // in its thread; of the first: where it was made
    std::uint32_t needs = kNone;     // what it waited for, besides
    std::uint32_t source = kNone;    // of a read or an update: the write; of an acquire: its release
    std::uint32_t previous = kNone;  // of a read, a write or an update: the access of its object before it
  };

  void clear();
  /// `maker`: the thread that made this one, if it has no event yet. Returns the event's number.
  std::uint32_t add(std::uint32_t thread, SyncKind kind, std::uint32_t object = kNone, std::uint32_t maker = kNone);
  /// A try that was added as a step turns out to have got the lock, before its thread has taken another step.
  void got(std::uint32_t event, std::uint32_t lock);
  void failed(std::uint32_t event) { events_[event].kind = SyncKind::failed; }
  /// Where a thread is made that has no event yet: now, by the last create of `maker`.
  void made(std::uint32_t thread, std::uint32_t maker);

  std::size_t size() const { return events_.size(); }
  const Event& operator[](std::uint32_t event) const { return events_[event]; }

  /// Can the two be next to each other? If so, `is_before` says of an event whether it comes before them.
  bool can_meet(std::uint32_t one, std::uint32_t other);
  bool is_before(std::uint32_t event) const {
    return events_[event].position < threads_[events_[event].thread].included;
  }

 private:
  struct Thread {
    std::uint32_t last = kNone;
    std::uint32_t created = kNone;  // its last create
    std::uint32_t maker = kNone;    // the event that made it
    std::uint32_t events = 0;
    std::uint32_t included = 0;  // in the closure: so many of its events
  };
  struct Variable {
    std::uint32_t write = kNone;   // the last
    std::uint32_t access = kNone;  // the last
  };
  struct Lock {
    std::uint32_t acquire = kNone;   // of the one who has it
    std::uint32_t depth = 0;         // how often more
    std::uint32_t freed = kNone;     // by the one who had it when the trace began
    std::uint32_t included = kNone;  // the last acquire in the closure
  };

  template <typename T>
  static T& at(CommonVector<T>& all, std::uint32_t which) {
    if (all.size() <= which) all.resize(which + 1);
    return all[which];
  }

  SyncKind take(std::uint32_t event, std::uint32_t lock);
  SyncKind give_back(std::uint32_t event, std::uint32_t lock);
  bool include_all();
  bool include(std::uint32_t event);
  bool include_acquire(std::uint32_t event);
  void want(std::uint32_t event) {
    if (event != kNone) wanted_.push_back(event);
  }

  CommonVector<Event> events_;
  CommonVector<Thread> threads_;
  CommonVector<Variable> variables_;
  CommonVector<Lock> locks_;
  CommonVector<std::uint32_t> syncs_;   // indexed by object: its last event
  CommonVector<std::uint32_t> wanted_;  // what is still to be included
};

}  // namespace heddle::strategy
