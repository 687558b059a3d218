// The locks that each operation holds, for strategies that need them: mutexes, spin locks, read-write locks and files.
//
// The lock itself tells its owner, because a try may have failed, and a condition wait releases a mutex that no event
// names. Only readers and file locks are tracked by events. A try to read, or a read with a timeout, does not count. A
// try to lock a file is taken for a success.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class HeldLocks {
 public:
  void begin() {
    operations_.clear();
    locks_.clear();
    unused_ = 0;
  }

  /// `who` takes its step; afterwards it may own one more lock. Returns true if the locks it holds may change.
  bool step(const ScheduleView& view, OperationId who) {
    if (operations_.size() <= index(who)) [[unlikely]]
      operations_.resize(index(who) + 1);
    Operation& mine = operations_[index(who)];
    const model::Event& event = view.next(who);
    const bool holds_any = mine.first != 0;
    if (!is_given_back(event.kind) && !is_taken(view, event)) return holds_any;
    std::uint32_t found = mine.first;
    while (found != 0 && locks_[found - 1].resource != event.resource) found = locks_[found - 1].next;
    if (found == 0) {
      if (is_given_back(event.kind)) return true;
      found = mine.first = make(event.resource, mine.first);
    }
    if (is_taken_for_sure(event.kind)) locks_[found - 1].by_event = true;
    if (is_given_back(event.kind)) locks_[found - 1].by_event = false;
    return true;
  }

  /// Calls `visit(resource)` for each lock that the operation owns now, the last that it took first.
  template <typename Visit>
  void for_each(const ScheduleView& view, OperationId who, const Visit& visit) {
    if (operations_.size() <= index(who)) return;
    std::uint32_t* link = &operations_[index(who)].first;
    while (*link != 0) {
      Lock& lock = locks_[*link - 1];
      if (is_owned(view.resource(lock.resource), who, lock.by_event)) {
        visit(lock.resource);
        link = &lock.next;
      } else {
        const std::uint32_t gone = std::exchange(*link, lock.next);
        lock.next = std::exchange(unused_, gone);
      }
    }
  }

  /// Does the event take a lock, or try to? Of descriptors, only files are locks.
  static bool is_taken(const ScheduleView& view, const model::Event& event) {
    if (event.resource == kNoResource || is_given_back(event.kind)) return false;
    switch (view.resource(event.resource).kind) {
      case model::ResourceKind::mutex:
      case model::ResourceKind::spin_lock:
      case model::ResourceKind::read_write_lock:
        return true;
      case model::ResourceKind::descriptor:
        return event.kind == model::EventKind::file_lock;
      default:
        return false;
    }
  }

  /// Does the event wait while another operation owns the lock?
  static bool is_wanted(model::EventKind kind) {
    using model::EventKind;
    return kind == EventKind::lock || kind == EventKind::read_lock || kind == EventKind::write_lock ||
           kind == EventKind::file_lock;
  }

  /// Is `who`, which owns the lock, its only owner?
  static bool is_exclusive(const model::Resource& lock, OperationId who) {
    if (lock.kind == model::ResourceKind::read_write_lock) return lock.read_write_lock.writer() == who;
    return lock.kind != model::ResourceKind::descriptor;
  }

 private:
  struct Lock {
    ResourceId resource = kNoResource;
    std::uint32_t next = 0;  // index + 1 of another of the same operation
    bool by_event = false;   // its events took it and did not release it
  };
  struct Operation {
    std::uint32_t first = 0;  // index + 1 of a lock that it may own
  };

  std::uint32_t make(ResourceId resource, std::uint32_t next) {
    if (unused_ == 0) {
      locks_.push_back({resource, next, false});
      return static_cast<std::uint32_t>(locks_.size());
    }
    const std::uint32_t made = unused_;
    unused_ = locks_[made - 1].next;
    locks_[made - 1] = {resource, next, false};
    return made;
  }

  static bool is_taken_for_sure(model::EventKind kind) {
    return kind == model::EventKind::read_lock || kind == model::EventKind::file_lock;
  }
  static bool is_given_back(model::EventKind kind) {
    return model::gives_back(kind) || kind == model::EventKind::descriptor_close;
  }

  static bool is_owned(const model::Resource& lock, OperationId who, bool by_event) {
    switch (lock.kind) {
      case model::ResourceKind::read_write_lock:
        return by_event || lock.read_write_lock.writer() == who;
      case model::ResourceKind::descriptor:
        return by_event && !lock.gone;
      default:
        return lock.mutex.owner() == who;
    }
  }

  CommonVector<Operation> operations_;
  CommonVector<Lock> locks_;
  std::uint32_t unused_ = 0;  // index + 1 of the first free entry in locks_
};

}  // namespace heddle::strategy
