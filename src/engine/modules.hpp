// The modules loaded into the process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// Paths; the program comes first.
std::vector<std::string> paths_of_modules();

/// For an execution that was cut, in the process that ran it or in one that it was forked from: where it took its last
/// steps. Without source lines.
std::vector<Place> repeated_places(const Verdict& verdict);

/// Of the calls with these return addresses; each place once. Without source lines.
std::vector<Place> places_of_calls(std::span<const void* const> returns);

}  // namespace heddle::engine
