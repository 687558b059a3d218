// How long an exploration may take, according to its options.
#pragma once

#include "engine/explorer.hpp"
#include "options/values.hpp"

namespace heddle::options {

/// Without a bound from the user: until a bug is found, but no longer than a person likes to wait.
engine::Budget budget_of(const Values& values);

}  // namespace heddle::options
