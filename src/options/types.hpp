// How a value of each type is written and read back. The words are the same on the command line, in the environment and
// in the header of a trace.
//
// If the text is wrong, `parse` leaves the value unchanged and returns the rest of a sentence that starts with the name
// of the option: "must be a whole number, not `seven`". Empty: nothing is wrong. `parse` accepts whatever `print`
// returns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "options/values.hpp"

namespace heddle::options {

std::string parse(std::string_view text, bool& value);  // yes or no
std::string parse(std::string_view text, std::uint64_t& value);
std::string parse(std::string_view text, double& value);  // seconds
std::string parse(std::string_view text, Text& value);
std::string parse(std::string_view text, engine::TimePolicy& value);
std::string parse(std::string_view text, engine::Races& value);
std::string parse(std::string_view text, engine::Standard& value);
std::string parse(std::string_view text, IsolationMode& value);
std::string parse(std::string_view text, ExecutorKind& value);
std::string parse(std::string_view text, ExitCodes& value);         // separated by commas
std::string parse(std::string_view text, model::MisuseSet& value);  // names separated by commas

std::string print(bool value);
std::string print(std::uint64_t value);
std::string print(double value);
std::string print(const Text& value);
std::string print(engine::TimePolicy value);
std::string print(engine::Races value);
std::string print(engine::Standard value);
std::string print(IsolationMode value);
std::string print(ExecutorKind value);
std::string print(const ExitCodes& value);
std::string print(const model::MisuseSet& value);

// Two fields, one option: `auto` means to refine, and any other word sets the points of every execution.
std::string parse_points(std::string_view text, Values& values);
std::string print_points(const Values& values);
// The same: `auto` means that the strategy decides.
std::string parse_choices(std::string_view text, Values& values);
std::string print_choices(const Values& values);

}  // namespace heddle::options
