// Identifies the build of a program file.
#pragma once

#include <string>

namespace heddle::report {

/// The linker's build id of an ELF file, in hex; empty if it has none or cannot be read.
std::string build_id_of(const std::string& path);

}  // namespace heddle::report
