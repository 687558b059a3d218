// A file descriptor of the process: a number, and the object behind it.
//
// Both ends of a pipe or a socket pair, and every duplicate of a descriptor, share one object.
#pragma once

#include <cstdint>

namespace heddle::model {

struct Descriptor {
  static constexpr std::uint32_t kAny = 0;       // the object is unknown: it may be any
  static constexpr std::uint32_t kStandard = 1;  // descriptors 0, 1 and 2, which may all be the same

  std::uint32_t object = kAny;
};

}  // namespace heddle::model
