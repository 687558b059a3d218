// Where the events for a machine go: what a MachineId knows. It stays when the machine has gone, and may become the
// address of another, which has another number.
#pragma once

#include <cstdint>
#include <string_view>

#include "heddle/actor/event.hpp"

namespace heddle::actor {

class Address {
 public:
  /// Null: the id is nobody's.
  static Address* of(MachineId id) { return id.address_; }
  MachineId id(std::uint32_t number, const std::string_view& type) { return {this, number, &type}; }

  MachineCore* machine = nullptr;  // null: it has gone
};

}  // namespace heddle::actor
