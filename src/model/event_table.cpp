#include "model/event_table.hpp"

namespace heddle::model {

EventKind kind_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kEventTable.size(); ++i)
    if (kEventTable[i].name == wanted) return static_cast<EventKind>(i);
  return EventKind::kCount;
}

}  // namespace heddle::model
