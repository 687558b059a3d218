// Random bytes that are the same in every execution.
#pragma once

#include <cstddef>

namespace heddle::runtime {

/// Called by the running operation. The bytes depend only on how many were taken before in this execution.
void fill_random(void* bytes, std::size_t count);

}  // namespace heddle::runtime
