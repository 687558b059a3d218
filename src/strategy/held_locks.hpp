// Which locks each operation holds, for strategies that want to know. A lock itself says who owns it: a try may have
// failed, and a condition wait gives back what no event names.
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

  /// `who` takes its step: afterwards it may own one lock more. True: what it holds may change.
  bool step(const ScheduleView& view, OperationId who) {
    if (operations_.size() <= index(who)) [[unlikely]]
      operations_.resize(index(who) + 1);
    Operation& mine = operations_[index(who)];
    const ResourceId lock = view.next(who).resource;
    const bool holds_any = mine.count > 0;
    if (lock == kNoResource || !is_lock(view.resource(lock).kind)) return holds_any;
    for (std::uint32_t i = 0; i < mine.count; ++i)
      if (mine.locks[i] == lock) return true;
    if (mine.count == kLocks) return true;
    mine.locks[mine.count++] = lock;
    return true;
  }

  /// Calls `visit(resource)` for each that it owns now.
  template <typename Visit>
  void for_each(const ScheduleView& view, OperationId who, const Visit& visit) {
    if (operations_.size() <= index(who)) return;
    Operation& mine = operations_[index(who)];
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < mine.count; ++i) {
      if (view.resource(mine.locks[i]).mutex.owner() != who) continue;
      mine.locks[kept++] = mine.locks[i];
      visit(mine.locks[i]);
    }
    mine.count = kept;
  }

  static bool is_lock(model::ResourceKind kind) {
    return kind == model::ResourceKind::mutex || kind == model::ResourceKind::spin_lock;
  }

  static constexpr std::size_t kLocks = 7;  // more than that many of one operation are not seen

 private:
  struct Operation {
    std::uint32_t count = 0;
    std::array<ResourceId, kLocks> locks{};  // that it may own
  };

  CommonVector<Operation> operations_;
};

}  // namespace heddle::strategy
