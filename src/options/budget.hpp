// How long an exploration may take, by its options.
#pragma once

#include "engine/explorer.hpp"
#include "options/values.hpp"

namespace heddle::options {

/// Without a bound of the user's: until something is found, but no longer than a person likes to wait.
engine::Budget budget_of(const Values& values);

}  // namespace heddle::options
