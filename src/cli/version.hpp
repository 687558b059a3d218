// The version of heddle, as in the project's CMakeLists.txt; a test checks that the two agree.
#pragma once

namespace heddle::cli {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace heddle::cli
