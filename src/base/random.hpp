// The only source of randomness in heddle: xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64.
//
// A strategy is given a generator and never creates its own. The same seed gives the same schedule on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.hpp"

namespace heddle {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = mix(seed += kGolden);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Exactly uniform over 0 … bound-1. Lemire 2019: multiply, and reject the few values that would bias. bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
      const std::uint32_t threshold = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform over [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t rotate(std::uint64_t value, int by) { return (value << by) | (value >> (64 - by)); }

  std::array<std::uint64_t, 4> state_;  // never all zero: splitmix64 of four different inputs
};

}  // namespace heddle
