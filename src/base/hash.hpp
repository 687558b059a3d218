// One mixing function for every hash: the finaliser of splitmix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstdint>

namespace heddle {

inline constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15ull;  // 2^64 / golden ratio, odd

constexpr std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58'476d'1ce4'e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d0'49bb'1331'11ebull;
  return value ^ (value >> 31);
}

/// Order matters: combine(combine(h, a), b) differs from combine(combine(h, b), a).
constexpr std::uint64_t combine(std::uint64_t hash, std::uint64_t value) { return mix(hash + kGolden + value); }

}  // namespace heddle
