// Which executions are the same but for the order of steps that nobody can tell: a number for each class of them.
//
// Two executions are in one class if they have the same steps and order those alike that touch the same resource,
// unless both only read it (Mazurkiewicz traces). A step's hash is made of the hash of the step before it in its
// operation and of what it finds at its resource: the hash of the last step that changed it and, if it changes it too,
// the sum over the steps that have read it since. The class is the sum of all steps' hashes, so the order in which
// independent steps come does not matter. An operation is known by who made it and as the how-manyeth.
//
// Costs some additions and multiplications a step; a table of two words for each operation and three for each resource.
// A step without a resource may touch anything, as `dependent` says; here it counts as touching nothing but its own
// operation, so that a program of such steps does not have a class for each schedule.
#pragma once

#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class OrderClass final : public StepWatcher {
 public:
  void begin() {
    operations_.clear();
    resources_.clear();
    sum_ = 0;
  }

  void on_step(const ScheduleView& view, OperationId who) override {
    const model::Event event = view.next(who);
    Operation& operation = know(view, who);
    std::uint64_t step = combine(operation.last, static_cast<std::uint64_t>(event.kind));
    if (event.resource != kNoResource) {
      if (index(event.resource) >= resources_.size()) [[unlikely]]
        resources_.resize(index(event.resource) + 1);
      Resource& resource = resources_[index(event.resource)];
      if (model::only_reads(event.kind)) {
        step = combine(step, resource.last_change);
        resource.reads += step;
      } else {
        step = combine(step, resource.last_change + resource.reads);
        resource.last_change = step;
        resource.reads = 0;
      }
    }
    operation.last = step;
    sum_ += step;
  }

  void on_value(const ScheduleView& view, std::uint32_t value) override {
    Operation& operation = know(view, view.current);
    operation.last = combine(operation.last, ~std::uint64_t{value});
    sum_ += operation.last;
  }

  /// Of the execution so far; never 0.
  std::uint64_t value() const { return sum_ == 0 ? 1 : sum_; }

 private:
  struct Operation {
    std::uint64_t name = kGolden;  // of whom it is which child
    std::uint64_t last = kGolden;  // the hash of its last step, or its name
    std::uint32_t children = 0;
  };
  struct Resource {
    std::uint64_t last_change = 0;
    std::uint64_t reads = 0;  // since then
  };

  Operation& know(const ScheduleView& view, OperationId who) {
    if (index(who) < operations_.size()) [[likely]]
      return operations_[index(who)];
    for (auto i = static_cast<std::uint32_t>(operations_.size()); i <= index(who); ++i) {
      const OperationId parent = view.parent(OperationId{i});
      Operation operation;
      if (index(parent) < operations_.size()) {
        Operation& maker = operations_[index(parent)];
        operation.name = operation.last = combine(maker.name, ++maker.children);
      }
      operations_.push_back(operation);
    }
    return operations_[index(who)];
  }

  CommonVector<Operation> operations_;
  CommonVector<Resource> resources_;
  std::uint64_t sum_ = 0;
};

}  // namespace heddle::strategy
