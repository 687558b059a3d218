// Compare and exchange of 16 bytes: `cmpxchg16b`. Compilers emit a library call instead, which may take a lock inside
// libatomic.
#pragma once

#include <cstdint>

namespace heddle {

__extension__ using Wide = unsigned __int128;

/// Sequentially consistent. `expected` receives the previous value.
inline bool exchange_if_equal(volatile Wide* at, Wide& expected, Wide desired) {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  bool equal = false;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(equal), "+m"(*at), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  expected = static_cast<Wide>(high) << 64 | low;
  return equal;
}

}  // namespace heddle
