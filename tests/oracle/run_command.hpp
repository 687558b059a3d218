// What `heddle run` finds in a program, by the command itself.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace heddle::oracle {

struct CommandFindings {
  bool complete = false;          // it says that nothing is left
  std::set<std::string> endings;  // `exit 3`, `deadlock`, `assertion`: of every different failure
  std::string text;               // what it printed
};

/// Every exit code counts as a failure, so that each is told of.
CommandFindings run_command(const std::vector<std::string>& options, const std::vector<std::string>& program);

}  // namespace heddle::oracle
