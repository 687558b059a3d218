#include "actor/production/population.hpp"

#include <utility>

namespace heddle::actor {

ProductionMachine& Population::make(System& system, const Table& table, std::string_view name) {
  ProductionAddress* address = nullptr;
  std::uint32_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    ++made_;
    do ++last_number_;
    while (last_number_ == 0);
    number = last_number_;
    if (free_.empty()) {
      address = addresses_.emplace_back(std::make_unique<ProductionAddress>(system)).get();
    } else {
      address = free_.back();
      free_.pop_back();
    }
  }
  auto* const machine = new ProductionMachine(*address, table, name, number);
  address->number.store(number, std::memory_order_relaxed);
  address->mailbox.open();
  return *machine;
}

void Population::add(ProductionMachine& machine) {
  const std::lock_guard lock(mutex_);
  machine.next = latest_;
  if (latest_ != nullptr) latest_->previous = &machine;
  latest_ = &machine;
}

void Population::remove(ProductionMachine& machine) {
  {
    const std::lock_guard lock(mutex_);
    (machine.previous != nullptr ? machine.previous->next : latest_) = machine.next;
    if (machine.next != nullptr) machine.next->previous = machine.previous;
    handled_by_gone_ += machine.events_handled();
    dropped_by_gone_ += machine.events_dropped();
    if (looking_ != 0) return leaving_.push_back(&machine);
    release(machine);
  }
  delete &machine;
}

void Population::release(ProductionMachine& machine) {
  machine.address.machine = nullptr;
  free_.push_back(&machine.address);
}

void Population::for_each(const std::function<void(ProductionMachine&)>& function) {
  std::vector<ProductionMachine*> all;
  {
    const std::lock_guard lock(mutex_);
    ++looking_;
    for (ProductionMachine* one = latest_; one != nullptr; one = one->next) all.push_back(one);
  }
  for (auto one = all.rbegin(); one != all.rend(); ++one) function(**one);
  std::vector<ProductionMachine*> left;
  {
    const std::lock_guard lock(mutex_);
    if (--looking_ == 0) left.swap(leaving_);
    for (ProductionMachine* one : left) release(*one);
  }
  for (ProductionMachine* one : left) delete one;
}

void Population::count(Metrics& metrics) const {
  const std::lock_guard lock(mutex_);
  metrics.machines_created = made_;
  metrics.events_handled = handled_by_gone_;
  metrics.events_dropped = dropped_by_gone_;
  for (const ProductionMachine* one = latest_; one != nullptr; one = one->next) {
    metrics.events_handled += one->events_handled();
    metrics.events_dropped += one->events_dropped();
  }
}

void Population::clear() {
  while (latest_ != nullptr) delete std::exchange(latest_, latest_->next);
}

}  // namespace heddle::actor
