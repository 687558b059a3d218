// Which functions do the modules of the program ask the dynamic linker for? Some of heddle's work is only worth its
// cost in programs that can call a certain function.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::runtime {

/// Does any module that is loaded now import one of these functions?
bool imports_any(std::span<const std::string_view> names);
/// Changes whenever a module is loaded or unloaded.
std::uint64_t loaded_modules();

}  // namespace heddle::runtime
