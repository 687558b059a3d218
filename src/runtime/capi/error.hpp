// Codes, their names, and what the last call that went wrong on a thread has to say.
#pragma once

#include "heddle/heddle.h"

namespace heddle::runtime::capi {

/// Remembers what the code itself means as the message of this thread. Returns the code.
heddle_code error(heddle_code code);
/// The same with a sentence of its own.
[[gnu::format(printf, 2, 3)]] heddle_code error(heddle_code code, const char* format, ...);

}  // namespace heddle::runtime::capi
