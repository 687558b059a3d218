#include "options/environment.hpp"

#include <cstdlib>

#include "options/table.hpp"

namespace heddle::options {
namespace {

/// Null: it is not set, or empty.
const char* variable(std::string_view name) {
  const char* const value = name.empty() ? nullptr : ::secure_getenv(std::string(name).c_str());
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

}  // namespace

std::string read_environment(Values& values) {
  // A user who bounds only the time does not want to be stopped by a number of executions written into the test.
  if (variable("HEDDLE_TIME") != nullptr) values.executions = 0;
  for (const Option& option : table()) {
    const char* const text = variable(option.variable);
    if (text == nullptr) continue;
    if (const std::string wrong = option.field.set(values, text); !wrong.empty())
      return std::string(option.variable) + " " + wrong;
  }
  return {};
}

std::string environment_to_go_on() {
  std::string line;
  for (const Option& option : table())
    if (const char* const text = option.goes_on ? variable(option.variable) : nullptr)
      line.append(line.empty() ? "" : " ").append(option.variable).append("=").append(text);
  return line;
}

}  // namespace heddle::options
