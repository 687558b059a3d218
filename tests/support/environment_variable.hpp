// Sets a variable of the environment for as long as it lives.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace heddle::testing {

class Variable {
 public:
  Variable(std::string_view name, const std::string& value) : name_(name) { setenv(name_.c_str(), value.c_str(), 1); }
  ~Variable() { unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const std::string name_;
};

}  // namespace heddle::testing
