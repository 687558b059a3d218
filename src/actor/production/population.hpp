// All machines of a runtime, and the addresses of those that have gone, for others to come.
//
// So a program that makes machines for a while each, one for a request say, keeps as many addresses as it had machines
// at once, and nothing else of those that have halted.
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
  /// A machine with an address that takes events. It is not yet one of those that are seen.
  ProductionMachine& make(System& system, const Table& table, std::string_view name);
  void add(ProductionMachine& machine);
  /// It has halted and comes off the worker that ran it: it goes.
  void remove(ProductionMachine& machine);
  /// By nobody else any more: all go.
  void clear();

  /// The oldest first. None goes meanwhile, but they may run.
  void for_each(const std::function<void(ProductionMachine&)>& function);
  /// What all that there are and were have handled and dropped.
  void count(Metrics& metrics) const;

 private:
  /// With the lock held: the address is free, the machine the caller's to delete.
  void release(ProductionMachine& machine);

  mutable std::mutex mutex_;
  ProductionMachine* latest_ = nullptr;
  std::vector<std::unique_ptr<ProductionAddress>> addresses_;
  std::vector<ProductionAddress*> free_;
  std::vector<ProductionMachine*> leaving_;  // while somebody looks at all
  std::uint32_t looking_ = 0;
  std::uint64_t made_ = 0;
  std::uint32_t last_number_ = 0;
  std::uint64_t handled_by_gone_ = 0;
  std::uint64_t dropped_by_gone_ = 0;
};

}  // namespace heddle::actor
