#include "api/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "trace/frames.hpp"

namespace heddle {
namespace {

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

bool is_sensible(std::uint64_t) { return true; }
bool is_sensible(double seconds) { return seconds >= 0 && seconds <= 1e9; }  // nor is it infinite, or no number

template <typename Number>
void read_number(const char* name, Number& number) {
  const char* const value = variable(name);
  if (value == nullptr) return;
  const char* const end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, number);
  if (error != std::errc() || stop != end || !is_sensible(number))
    throw WrongUse(std::string(name) + " is `" + value + "`, which is not a number that it can be");
}

}  // namespace

Options with_environment(const Options& given, const CallSite& where) {
  Options options = given;
  if (options.name.empty()) options.name = std::string(base_name(where.file)) + ":" + std::to_string(where.line);
  if (const char* strategy = variable("HEDDLE_STRATEGY")) options.strategy = strategy;
  if (const char* directory = variable("HEDDLE_TRACE_DIR")) options.trace_directory = directory;
  if (const char* races = variable("HEDDLE_RACES")) options.races = races;
  if (const char* standard = variable("HEDDLE_STANDARD")) options.standard = standard;
  if (const char* points = variable("HEDDLE_POINTS")) options.points = points;
  if (const char* suppressions = variable("HEDDLE_SUPPRESSIONS")) options.suppressions = suppressions;
  if (const char* allowed = variable("HEDDLE_ALLOW")) options.allow = names_in(allowed);
  read_number("HEDDLE_SEED", options.seed);
  read_number("HEDDLE_EXECUTIONS", options.executions);
  double seconds = -1;
  if (variable("HEDDLE_TIME") != nullptr) {
    read_number("HEDDLE_TIME", seconds);
    options.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    if (variable("HEDDLE_EXECUTIONS") == nullptr) options.executions = 0;
  }
  return options;
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t length = list.find(',');
    if (length != 0) names.emplace_back(list.substr(0, length));
    list.remove_prefix(length == std::string_view::npos ? list.size() : length + 1);
  }
  return names;
}

std::string trace_to_replay() {
  const char* const path = variable("HEDDLE_REPLAY");
  return path != nullptr ? path : "";
}

}  // namespace heddle
