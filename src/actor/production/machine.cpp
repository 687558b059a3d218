#include "actor/production/machine.hpp"

namespace heddle::actor {

bool ProductionMachine::deliver_all(EventBox* oldest) {
  if (oldest == nullptr) return false;
  for (EventBox* box = oldest; box != nullptr;) {
    EventBox* const after = box->next.load(std::memory_order_relaxed);
    deliver(box);
    if (box->at_most != 0) [[unlikely]]
      check_at_most(*box);
    box = after;
  }
  return true;
}

void ProductionMachine::check_at_most(const EventBox& box) {
  const std::uint32_t count = inbox().count(*box.type);
  if (count > box.at_most) system().backend().fail(FailureKind::specification, too_many(*box.type, count, box.at_most));
}

}  // namespace heddle::actor
