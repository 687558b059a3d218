// The strategies by name: what the command line, the API and the generic tests choose from.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "strategy/strategy.hpp"

namespace heddle::strategy {

/// Something that a strategy can be given: a number, or one of several names.
struct Parameter {
  std::string_view name;
  std::string_view fallback;  // what it is if nothing is said
  std::string_view summary;
  double min = 0;  // what is allowed, both ends included
  double max = 0;
  bool is_whole = false;
  std::string_view word = {};                    // may be said in place of a number: none, auto
  std::span<const std::string_view> names = {};  // if there are any, one of them must be said
};

/// What may be said: "a whole number from 1 to 1000", "reads_from, order or states".
std::string allowed(const Parameter& parameter);

struct Entry {
  std::string_view name;
  std::string_view summary;  // one line
  std::span<const Parameter> parameters;
  /// `values` are those of `parameters`, in that order; a word is infinity, a name its position.
  std::unique_ptr<Strategy> (*make)(std::span<const double> values);
};

/// All of them, in the order in which they should be shown.
std::span<const Entry> strategies();

struct Parsed {
  std::unique_ptr<Strategy> strategy;  // null exactly if there is an error
  std::string error;                   // what is wrong, and what is allowed
};

/// A strategy from what a user wrote: `pct`, `pct:depth=5`, `fest:signal=states,mutations=2`.
Parsed parse(std::string_view spec);

}  // namespace heddle::strategy
