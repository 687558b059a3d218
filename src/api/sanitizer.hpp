// AddressSanitizer in the program under test: its report ends the process, so heddle prints its own part first.
#pragma once

#include "api/exploration.hpp"
#include "engine/explorer.hpp"

namespace heddle {

/// Throws WrongUse if the runtime of ThreadSanitizer is in this process.
void refuse_thread_sanitizer();

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
