// Memory that all processes of an exploration share, at the same address in each. Strategies and results live here. It
// is mapped before the first fork and only reserved; pages exist once they are touched.
//
// Inside this library, `new` allocates from here too. The program's heap is never touched, so it looks the same with
// and without heddle.
#pragma once

#include <cstddef>

namespace heddle::preload {

void* take(std::size_t bytes);  // aligned to 16; ends the process if no memory is left
void give_back(void* memory);

/// Makes raw::common_pages allocate from here.
void share_pages();

}  // namespace heddle::preload
