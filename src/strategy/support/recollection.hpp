// Numbers that a learning strategy keeps by hash, in bounded memory.
//
// A long exploration keeps seeing new states, most of them once. So there are two generations. Whatever is looked up
// lives in the young one. When that is full, the old one is forgotten and the young one becomes old. A key that was not
// met while `kGeneration` others were is forgotten. At most two generations are kept, 5 MiB, which a long exploration
// reaches within its first hundred thousand executions: from then on its memory does not grow.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class Recollection {
 public:
  static constexpr std::uint32_t kGeneration = 60'000;  // fits a table of 2^17 slots, with room for one execution more

  explicit Recollection(float first) : first_(first) {}

  /// The position of the number, valid until the next `forget`. An unknown key starts as `first`.
  std::uint32_t find(std::uint64_t key) {
    const std::uint32_t at = young_.names(key);
    if (at >= young_.values.size()) [[unlikely]] {
      const std::uint32_t before = old_.names.find(key);
      young_.values.push_back(before == Interned::kUnknown ? first_ : old_.values[before]);
    }
    return at;
  }
  float& operator[](std::uint32_t at) { return young_.values[at]; }

  /// Called between executions; makes room if necessary. Returns true if it did: then all positions change.
  bool forget() {
    if (young_.names.size() < kGeneration) return false;
    old_.names.swap(young_.names);
    old_.values.swap(young_.values);
    young_.names.clear();
    young_.values.clear();
    return true;
  }

 private:
  struct Generation {
    Interned names;
    CommonVector<float> values;
  };

  float first_;
  Generation young_;
  Generation old_;
};

}  // namespace heddle::strategy
