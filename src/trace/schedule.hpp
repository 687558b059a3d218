// The choices of one execution, and nothing else: what a run needs in order to happen again.
//
// Only real choices are kept: a step that only one operation could take is not among them.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "base/ids.hpp"

namespace heddle {

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

/// Two lanes, so that one multiplication need not wait for the one before; multiplying by an odd number loses nothing.
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
