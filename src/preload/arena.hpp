// Memory that all processes of an exploration share, at the same address in each: what strategies and results are made
// of. It is mapped before the first fork and only reserved; pages exist as they are touched.
//
// In this library `new` takes from here too. The program's heap is never touched, so it looks the same whether heddle
// is there or not.
#pragma once

#include <cstddef>

namespace heddle::preload {

void* take(std::size_t bytes);  // aligned to 16; ends the process if there is none left
void give_back(void* memory);

/// Makes raw::common_pages come from here.
void share_pages();

}  // namespace heddle::preload
