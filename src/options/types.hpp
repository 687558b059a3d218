// How a value of each type is written, and read back: the same words on the command line, in the environment and in the
// header of a trace.
//
// `parse` leaves the value alone if the text is wrong, and returns the rest of a sentence that begins with the name of
// the option: "must be a whole number, not `seven`". Empty: nothing is wrong. What `print` returns, `parse` takes.
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
std::string parse(std::string_view text, ExitCodes& value);         // with commas between
std::string parse(std::string_view text, model::MisuseSet& value);  // names with commas between

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

// Two fields, one option: `auto` is to refine, and any other word the points of every execution.
std::string parse_points(std::string_view text, Values& values);
std::string print_points(const Values& values);

}  // namespace heddle::options
