#include "actor/production/machine.hpp"

namespace heddle::actor {

bool ProductionMachine::deliver_all(EventBox* oldest) {
  if (oldest == nullptr) return false;
  for (EventBox* box = oldest; box != nullptr;) {
    EventBox* const after = box->next.load(std::memory_order_relaxed);
    if (box->identity != number()) [[unlikely]] {
      drop_stray(box);
    } else {
      deliver(box);
      if (box->at_most != 0) [[unlikely]]
        check_at_most(*box);
    }
    box = after;
  }
  return true;
}

void ProductionMachine::drop_stray(EventBox* box) {
  constexpr static std::string_view kGone = "machine";  // its type is no longer known
  ++strays;
  count_dropped();
  system().drop(box, address.id(static_cast<std::uint32_t>(box->identity), kGone), {});
}

void ProductionMachine::check_at_most(const EventBox& box) {
  const std::uint32_t count = inbox().count(*box.type);
  if (count > box.at_most) system().backend().fail(FailureKind::specification, too_many(*box.type, count, box.at_most));
}

}  // namespace heddle::actor
