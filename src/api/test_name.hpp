// The name of the test that an exploration is part of, for the names of its traces.
#pragma once

#include <string>
#include <string_view>

#include "api/exploration.hpp"

namespace heddle {

/// The name that the program gave the exploration. Otherwise that of the function which explores, taken from the stack:
/// `Bank.Transfers` of a test of GoogleTest, empty for `main`. Where that says nothing, the place: `bank.cpp-42`. To be
/// called on the thread that called heddle::explore.
std::string name_of_test(const Exploration& exploration);

/// The name of a test in that of its function; for other functions the function itself.
std::string name_in_function(std::string_view function);

}  // namespace heddle
