// What an operation is about to do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "model/event_kind.hpp"
#include "model/event_table.hpp"

namespace heddle::model {

struct Event {
  EventKind kind = EventKind::step;
  std::uint16_t bytes = 0;  // of a memory access; kMany: this many or more; 0: not an access, or unknown
  ResourceId resource = kNoResource;
  const void* place = nullptr;  // the return address of the call, in the program's code

  static constexpr std::uint16_t kMany = 0xffff;
  static constexpr std::uint16_t bytes_of(std::size_t size) {
    return size < kMany ? static_cast<std::uint16_t>(size) : kMany;
  }

  constexpr Event() = default;
  constexpr Event(EventKind the_kind, ResourceId of = kNoResource, const void* at = nullptr, std::uint16_t size = 0)
      : kind(the_kind), bytes(size), resource(of), place(at) {}
};
static_assert(sizeof(Event) == 16);  // fits in two registers

}  // namespace heddle::model
