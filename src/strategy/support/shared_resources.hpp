// The resources that two operations use, and not only to read: those at which an order can matter. They are learned as
// the executions go on. A resource that was shared once stays shared.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "model/dependence.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class SharedResources {
 public:
  void begin() {
    names_.begin();
    ++execution_;
  }

  std::uint32_t name(const ScheduleView& view, ResourceId id) { return names_(view, id); }

  /// `who` takes its step, which uses the resource.
  std::uint32_t use(const ScheduleView& view, OperationId who) {
    const model::Event event = view.next(who);
    const std::uint32_t name = names_(view, event.resource);
    if (name == ResourceNames::kNone || model::row(event.kind).does == model::Does::nothing)
      return ResourceNames::kNone;
    if (uses_.size() <= name) [[unlikely]]
      uses_.resize(name + 1);
    Use& use = uses_[name];
    use.changed |= model::changes(event);
    use.by_several |= use.execution == execution_ && use.last != who;
    use.last = who;
    use.execution = execution_;
    return name;
  }

  bool is_racy(std::uint32_t name) const {
    return name < uses_.size() && uses_[name].changed && uses_[name].by_several;
  }

 private:
  struct Use {
    OperationId last = kNoOperation;  // in that execution; in another, the same id may be a different operation
    std::uint32_t execution = 0;
    bool changed = false;
    bool by_several = false;
  };

  ResourceNames names_;
  CommonVector<Use> uses_;       // indexed by name
  std::uint32_t execution_ = 0;  // the current one
};

}  // namespace heddle::strategy
