// Which operations wait for which resources: for one, for all of several, or for any of them.
//
// This is M of Nekara's Algorithm 1, indexed from both sides: the cost of a signal depends on what it wakes, not on the
// number of operations.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime::capi {

enum class Until : std::uint8_t { all, any };

class Waits {
 public:
  void clear() {
    entries_.clear();
    waiters_.clear();
    first_.clear();
    free_ = kNone;
  }

  /// `who` now waits for `what`; call it for each resource that it waits for. Adding the same one twice has no effect.
  void add(OperationId who, ResourceId what, Until until);

  /// An operation that waits for `what`, or kNoOperation.
  OperationId waiter_for(ResourceId what) const {
    return index(what) < first_.size() && first_[index(what)] != kNone ? entries_[first_[index(what)]].who
                                                                       : kNoOperation;
  }
  bool is_waiting(OperationId who, ResourceId what) const { return find(who, what) != kNone; }
  bool is_waiting(OperationId who) const { return index(who) < waiters_.size() && waiters_[index(who)].first != kNone; }

  /// `what` has arrived for `who`. True if that ends its wait.
  bool came(OperationId who, ResourceId what);
  /// The last resource for which `came` returned true.
  ResourceId ended_by(OperationId who) const { return waiters_[index(who)].ended_by; }
  /// `who` no longer waits for anything.
  void forget(OperationId who);

  Until until(OperationId who) const { return waiters_[index(who)].until; }
  /// Calls `function` for each resource that `who` waits for, the last added first.
  template <typename Function>
  void for_each(OperationId who, const Function& function) const {
    if (!is_waiting(who)) return;
    for (std::uint32_t at = waiters_[index(who)].first; at != kNone; at = entries_[at].next_of_waiter)
      function(entries_[at].what);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Entry {
    OperationId who = kNoOperation;
    ResourceId what = kNoResource;
    std::uint32_t next_of_waiter = kNone;  // of a free entry: the next free one
    std::uint32_t next_of_resource = kNone;
    std::uint32_t previous_of_resource = kNone;
  };
  struct Waiter {
    std::uint32_t first = kNone;  // of its entries
    Until until = Until::all;
    ResourceId ended_by = kNoResource;
  };

  std::uint32_t find(OperationId who, ResourceId what) const;
  void remove(std::uint32_t at);

  PageVector<Entry> entries_;
  PageVector<Waiter> waiters_;       // indexed by operation
  PageVector<std::uint32_t> first_;  // indexed by resource: the first entry of it
  std::uint32_t free_ = kNone;       // the first free entry
};

}  // namespace heddle::runtime::capi
