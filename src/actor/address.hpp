// Where the events for a machine go; a MachineId refers to it. It outlives the machine, and may become the address of
// another machine, which has another number.
#pragma once

#include <cstdint>
#include <string_view>

#include "heddle/actor/event.hpp"

namespace heddle::actor {

class Address {
 public:
  /// Null: the id refers to no machine.
  static Address* of(MachineId id) { return id.address_; }
  MachineId id(std::uint32_t number, const std::string_view& type) { return {this, number, &type}; }

  MachineCore* machine = nullptr;  // null: the machine is gone
};

}  // namespace heddle::actor
