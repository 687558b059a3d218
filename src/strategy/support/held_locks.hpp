// The locks that each operation holds, for strategies that need them: mutexes, spin locks, read-write locks and files.
//
// The lock itself tells its owner, because a try may have failed, and a condition wait releases a mutex that no event
// names. Only readers and file locks are tracked by events. A try to read, or a read with a timeout, does not count. A
// try to lock a file is taken for a success.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class HeldLocks {
 public:
  void begin() { operations_.clear(); }

  /// `who` takes its step; afterwards it may own one more lock. Returns true if the locks it holds may change.
  bool step(const ScheduleView& view, OperationId who) {
    if (operations_.size() <= index(who)) [[unlikely]]
      operations_.resize(index(who) + 1);
    Operation& mine = operations_[index(who)];
    const model::Event& event = view.next(who);
    const bool holds_any = mine.count > 0;
    if (!is_given_back(event.kind) && !is_taken(view, event)) return holds_any;
    Lock* found = nullptr;
    for (std::uint32_t i = 0; i < mine.count; ++i)
      if (mine.locks[i].resource == event.resource) found = &mine.locks[i];
    if (found == nullptr) {
      if (mine.count == kLocks || is_given_back(event.kind)) return true;
      found = &mine.locks[mine.count++];
      *found = {event.resource, false};
    }
    if (is_taken_for_sure(event.kind)) found->by_event = true;
    if (is_given_back(event.kind)) found->by_event = false;
    return true;
  }

  /// Calls `visit(resource)` for each lock that the operation owns now.
  template <typename Visit>
  void for_each(const ScheduleView& view, OperationId who, const Visit& visit) {
    if (operations_.size() <= index(who)) return;
    Operation& mine = operations_[index(who)];
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < mine.count; ++i) {
      const Lock lock = mine.locks[i];
      if (!is_owned(view.resource(lock.resource), who, lock.by_event)) continue;
      mine.locks[kept++] = lock;
      visit(lock.resource);
    }
    mine.count = kept;
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

  static constexpr std::size_t kLocks = 7;  // further locks of one operation are not seen

 private:
  struct Lock {
    ResourceId resource = kNoResource;
    bool by_event = false;  // its events took it and did not release it
  };
  struct Operation {
    std::uint32_t count = 0;
    std::array<Lock, kLocks> locks{};  // locks that it may own
  };

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
};

}  // namespace heddle::strategy
