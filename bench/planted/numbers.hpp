// Random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstddef>
#include <cstdint>

namespace planted {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint8_t below(std::size_t bound) { return static_cast<std::uint8_t>(next() % bound); }
  bool one_in(std::size_t many) { return below(many) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace planted
