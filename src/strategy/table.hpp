// The strategies by name. The command line, the API and the generic tests choose from this table.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "strategy/strategy.hpp"

namespace heddle::strategy {

/// A parameter of a strategy: a number, or one of several names.
struct Parameter {
  std::string_view name;
  std::string_view fallback;  // its default
  std::string_view summary;
  double min = 0;  // the allowed range, both ends included
  double max = 0;
  bool is_whole = false;
  std::string_view word = {};                    // allowed in place of a number: none, auto
  std::span<const std::string_view> names = {};  // if not empty, the value must be one of these
};

/// Describes the allowed values: "a whole number from 1 to 1000", "reads_from, order or states".
std::string allowed(const Parameter& parameter);

struct Entry {
  std::string_view name;
  std::string_view summary;  // one line
  std::span<const Parameter> parameters;
  /// `values` follow the order of `parameters`. A word is passed as infinity, a name as its position.
  std::unique_ptr<Strategy> (*make)(std::span<const double> values);
};

/// All strategies, in the order in which they should be shown.
std::span<const Entry> strategies();

struct Parsed {
  std::unique_ptr<Strategy> strategy;  // null exactly if there is an error
  std::string error;                   // what is wrong, and what is allowed
};

/// Creates a strategy from the user's text: `pct`, `pct:depth=5`, `fest:signal=states,mutations=2`.
Parsed parse(std::string_view spec);

}  // namespace heddle::strategy
