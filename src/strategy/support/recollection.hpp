// Numbers that a learning strategy keeps by hash, within bounds.
//
// A long exploration sees ever new states, most of them once. So there are two generations: what is looked up lives in
// the young one, and when that is full, the old one is forgotten and the young one becomes old. Whatever was not met
// while `kGeneration` others were is forgotten; the most that is kept is two generations, 60 MiB.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class Recollection {
 public:
  static constexpr std::uint32_t kGeneration = 1u << 19;

  explicit Recollection(float first) : first_(first) {}

  /// Where the number stands, until the next `forget`. One that was not known is `first`.
  std::uint32_t find(std::uint64_t key) {
    const std::uint32_t at = young_.names(key);
    if (at >= young_.values.size()) [[unlikely]] {
      const std::uint32_t before = old_.names.find(key);
      young_.values.push_back(before == Interned::kUnknown ? first_ : old_.values[before]);
    }
    return at;
  }
  float& operator[](std::uint32_t at) { return young_.values[at]; }

  /// Between executions: makes room if it has to. True: it did, and nothing stands where it stood.
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
