// The choices of one execution, and nothing else: all that is needed to run it again.
//
// Only real choices are kept. A step that only one operation could take is not one.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "base/ids.hpp"

namespace heddle {

inline constexpr std::uint32_t kValueBoundMax = 0x8000'0000u;  // of a data choice: its value must fit into a Choice

class Choice {
 public:
  static Choice of_operation(OperationId id) { return Choice(index(id)); }
  static Choice of_value(std::uint32_t value) { return Choice(value | kValueBit); }
  Choice() = default;

  bool is_value() const { return (bits_ & kValueBit) != 0; }
  OperationId operation() const { return OperationId{bits_}; }
  std::uint32_t value() const { return bits_ & ~kValueBit; }
  std::uint32_t bits() const { return bits_; }
  bool operator==(const Choice&) const = default;

 private:
  static constexpr std::uint32_t kValueBit = 0x8000'0000u;
  explicit Choice(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = 0;
};

/// Two lanes, so that a multiplication need not wait for the previous one. Multiplying by an odd number loses no
/// information.
inline std::uint64_t hash(std::span<const Choice> schedule) {
  std::uint64_t even = schedule.size();
  std::uint64_t odd = 0;
  std::size_t i = 0;
  for (; i + 1 < schedule.size(); i += 2) {
    even = (even ^ schedule[i].bits()) * kGolden;
    odd = (odd ^ schedule[i + 1].bits()) * kGolden;
  }
  if (i < schedule.size()) even = (even ^ schedule[i].bits()) * kGolden;
  return mix(even + mix(odd));
}

}  // namespace heddle
