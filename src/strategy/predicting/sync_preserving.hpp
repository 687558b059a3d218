// Decides which two events of an execution another schedule can put next to each other without changing the order in
// which any lock is taken: sync-preserving prediction. Mathur, Pavlogiannis and Viswanathan, "Optimal prediction of
// synchronization-preserving races", POPL 2021.
//
// A reordering takes the events of every thread up to some point. Every read sees the write that it saw, and the
// critical sections of each lock keep their order. Two events can meet if there is a reordering after which both are
// the next of their threads. The smallest reordering is a closure. It contains what comes before the two events in
// their threads. With an event it contains everything before it in its thread, the write that it read, and whatever
// else it waited for. With two acquires of one lock it contains the release of the earlier. The two events meet if
// neither is in the closure; the closure, in the order of the trace, is then the schedule. The paper finds all races of
// a trace in one pass. Here the caller asks about one pair, at the cost of a walk over its closure.
//
// Other than reads, writes and locks, there are events (`sync`: semaphores, conditions, barriers) of which it is only
// known that all events of one object depend on each other. They keep their order, which is sound and may miss races.
// So does a failed try for a lock: nothing after it can meet anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::strategy {

enum class SyncKind : std::uint8_t {
  step,    // touches nothing
  create,  // creates the next thread that begins and names this one as its maker
  join,    // object: the thread that ended
  read,
  write,
  update,   // reads and writes
  acquire,  // a lock; a repeated acquire by its holder has no effect
  release,
  sync,  // depends on all earlier events of its object
  wait,  // like sync, and releases every lock that other threads take before this thread goes on
  failed,
};

class SyncTrace {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  struct Event {
    SyncKind kind = SyncKind::step;
    std::uint32_t thread = 0;
    std::uint32_t object = kNone;  // variables, locks and sync objects are numbered separately
    std::uint32_t position = 0;    // in its thread
    std::uint32_t before = kNone;  // the previous event of its thread; for the first: the event that created the
                                   // thread
    std::uint32_t needs = kNone;   // what else it waited for
    std::uint32_t source = kNone;  // of a read or update: the write it saw; of an acquire: its release
  };

  void clear();
  /// `maker`: the thread that created this one, if this one has no event yet. Returns the event's number.
  std::uint32_t add(std::uint32_t thread, SyncKind kind, std::uint32_t object = kNone, std::uint32_t maker = kNone);
  /// A try that was added as a step got the lock. Call this before its thread takes another step.
  void got(std::uint32_t event, std::uint32_t lock);
  void failed(std::uint32_t event) { events_[event].kind = SyncKind::failed; }
  /// Creates a thread that has no event yet, by the last create of `maker`.
  void made(std::uint32_t thread, std::uint32_t maker);

  std::size_t size() const { return events_.size(); }
  const Event& operator[](std::uint32_t event) const { return events_[event]; }

  /// Can the two be next to each other? If so, `is_before` tells which events come before them.
  bool can_meet(std::uint32_t one, std::uint32_t other);
  bool is_before(std::uint32_t event) const {
    return events_[event].position < threads_[events_[event].thread].included;
  }
  /// Does the first come before the creation of the second's thread? Then they cannot meet, and asking costs little.
  bool is_before_creation(std::uint32_t first, std::uint32_t second) const;
  /// How many events all questions so far have looked at.
  std::uint64_t work() const { return work_; }

 private:
  struct Thread {
    std::uint32_t last = kNone;
    std::uint32_t created = kNone;  // its last create
    std::uint32_t maker = kNone;    // the event that created it
    std::uint32_t events = 0;
    std::uint32_t included = 0;  // how many of its events are in the closure
  };
  struct Lock {
    std::uint32_t acquire = kNone;   // by the current holder
    std::uint32_t depth = 0;         // further acquires by the holder
    std::uint32_t freed = kNone;     // by the thread that held it when the trace began
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
    if (event == kNone) return;
    is_in_vain_ |= contains(event, meeting_[0]) || contains(event, meeting_[1]);
    wanted_.push_back(event);
  }
  /// Does a reordering with the event contain the other one of its thread?
  bool contains(std::uint32_t event, std::uint32_t other) const {
    return events_[event].thread == events_[other].thread && events_[event].position >= events_[other].position;
  }

  CommonVector<Event> events_;
  CommonVector<Thread> threads_;
  CommonVector<std::uint32_t> writes_;  // indexed by variable: the last, + 1; 0: none
  CommonVector<Lock> locks_;
  CommonVector<std::uint32_t> syncs_;       // indexed by object: its last event
  CommonVector<std::uint32_t> wanted_;      // events still to be included
  std::array<std::uint32_t, 2> meeting_{};  // the two that are asked about
  bool is_in_vain_ = false;                 // the closure contains one of them
  std::uint64_t work_ = 0;
};

}  // namespace heddle::strategy
