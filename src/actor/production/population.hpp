// All machines of a runtime, and the free addresses of destroyed machines, for reuse.
//
// So a program that creates short-lived machines, one per request for instance, keeps as many addresses as it had
// machines at the same time, and nothing else of those that have halted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "actor/production/machine.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle::actor {

class Population {
 public:
  /// A machine with an address that takes events. `for_each` does not see it yet.
  ProductionMachine& make(System& system, const Table& table, std::string_view name);
  void add(ProductionMachine& machine);
  /// Destroys a machine that has halted, as it leaves the worker that ran it.
  void remove(ProductionMachine& machine);
  /// Destroys all machines. No other thread may use them any more.
  void clear();

  /// Oldest first. None is destroyed meanwhile, but they may run.
  void for_each(const std::function<void(ProductionMachine&)>& function);
  /// What all machines, present and past, have handled and dropped.
  void count(Metrics& metrics) const;

 private:
  /// Call with the lock held: the address becomes free, and the caller must delete the machine.
  void release(ProductionMachine& machine);

  mutable std::mutex mutex_;
  ProductionMachine* latest_ = nullptr;
  std::vector<std::unique_ptr<ProductionAddress>> addresses_;
  std::vector<ProductionAddress*> free_;
  std::vector<ProductionMachine*> leaving_;  // halted during a `for_each`
  std::uint32_t looking_ = 0;
  std::uint64_t made_ = 0;
  std::uint32_t last_number_ = 0;
  std::uint64_t handled_by_gone_ = 0;
  std::uint64_t dropped_by_gone_ = 0;
};

}  // namespace heddle::actor
