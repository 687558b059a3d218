// AddressSanitizer in the program under test: its report ends the process, so heddle says its part before that.
#pragma once

#include "engine/explorer.hpp"
#include "heddle/heddle.hpp"

namespace heddle {

/// While it lives, an error that AddressSanitizer finds in an operation also leaves a trace, and a line that replays
/// it.
class SanitizerWatch {
 public:
  SanitizerWatch(const engine::Explorer& explorer, const Options& options, bool is_replay);
  ~SanitizerWatch();
  SanitizerWatch(const SanitizerWatch&) = delete;
  SanitizerWatch& operator=(const SanitizerWatch&) = delete;
};

}  // namespace heddle
