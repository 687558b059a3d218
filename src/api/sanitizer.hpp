// AddressSanitizer in the program under test: its report ends the process, so heddle says its part before that.
#pragma once

#include "api/exploration.hpp"
#include "engine/explorer.hpp"

namespace heddle {

/// While it lives, an error that AddressSanitizer finds in an operation also leaves a trace, and a line that replays
/// it.
class SanitizerWatch {
 public:
  SanitizerWatch(const engine::Explorer& explorer, const Exploration& exploration);
  ~SanitizerWatch();
  SanitizerWatch(const SanitizerWatch&) = delete;
  SanitizerWatch& operator=(const SanitizerWatch&) = delete;
};

}  // namespace heddle
