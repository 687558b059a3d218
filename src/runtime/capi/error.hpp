// Codes, their names, and the message of the last failed call on each thread.
#pragma once

#include "heddle/heddle.h"

namespace heddle::runtime::capi {

/// Makes the meaning of the code the message of this thread. Returns the code.
heddle_code error(heddle_code code);
/// The same with a specific message.
[[gnu::format(printf, 2, 3)]] heddle_code error(heddle_code code, const char* format, ...);

}  // namespace heddle::runtime::capi
