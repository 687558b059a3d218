#include "runtime/process/environment_variables.hpp"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/page_vector.hpp"

namespace heddle::runtime {
namespace {

constexpr std::string_view kPreload = "LD_PRELOAD=";

PageVector<char*> kept;
PageVector<char> preload;  // the variable without heddle's library

/// The libraries are separated by blanks or colons. False: there is no other library.
bool keep_other_libraries(std::string_view value) {
  preload.clear();
  for (const char c : kPreload) preload.push_back(c);
  while (!value.empty()) {
    const std::size_t length = std::min(value.find_first_of(" :"), value.size());
    const std::string_view one = value.substr(0, length);
    value.remove_prefix(std::min(length + 1, value.size()));
    if (one.empty() || one.find("libheddle") != std::string_view::npos) continue;
    if (preload.size() > kPreload.size()) preload.push_back(':');
    for (const char c : one) preload.push_back(c);
  }
  preload.push_back('\0');
  return preload.size() > kPreload.size() + 1;
}

}  // namespace

char* const* without_heddle(char* const* environment) {
  kept.clear();
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    if (variable.starts_with("HEDDLE_")) continue;
    if (!variable.starts_with(kPreload)) {
      kept.push_back(*environment);
    } else if (keep_other_libraries(variable.substr(kPreload.size()))) {
      kept.push_back(preload.data());
    }
  }
  kept.push_back(nullptr);
  return kept.data();
}

EnvironmentWithoutHeddle::EnvironmentWithoutHeddle() : saved_(environ) {
  environ = const_cast<char**>(without_heddle(environ));
}
EnvironmentWithoutHeddle::~EnvironmentWithoutHeddle() { environ = saved_; }

}  // namespace heddle::runtime
