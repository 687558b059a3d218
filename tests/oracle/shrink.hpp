// Makes a program smaller for as long as something still holds of it.
#pragma once

#include <functional>

#include "oracle/program.hpp"

namespace heddle::oracle {

Program shrink(Program program, const std::function<bool(const Program&)>& holds);

}  // namespace heddle::oracle
