// A descriptor of the process: a number, and what is behind it.
//
// Both ends of a pipe or of a pair, and every copy of a number, have the same object behind them.
#pragma once

#include <cstdint>

namespace heddle::model {

struct Descriptor {
  static constexpr std::uint32_t kAny = 0;       // it is not known what is behind it: it may be anything
  static constexpr std::uint32_t kStandard = 1;  // 0, 1 and 2, which may all be the same

  std::uint32_t object = kAny;
};

}  // namespace heddle::model
