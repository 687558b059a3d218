// A refusal of the machine, in the command: see base/machine.hpp. main.cpp prints it and returns kRefused.
#pragma once

#include <stdexcept>
#include <string>

#include "base/machine.hpp"

namespace heddle::cli {

class MachineLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws MachineLimit if the result of a system call is an error; otherwise returns it.
int granted(int result, Scarce what);

/// Throws MachineLimit if there is no /proc, which tells heddle what the program has open, mapped and started.
void need_proc();

/// Is this error, with which a file could not be written, one of the machine? If not, its path or its owner is wrong.
bool is_of_machine(int error);

/// The sentence, and how far the exploration had come. `may_have_found`: bugs may have been found before.
std::string refused_text(const std::string& sentence, unsigned long long executions, bool may_have_found);

}  // namespace heddle::cli
