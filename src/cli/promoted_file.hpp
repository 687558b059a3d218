// The file of --promoted: places that became scheduling points, kept from one run to the next.
#pragma once

#include <string>

namespace heddle::cli {

/// Places belong to one build; those of other builds are skipped. Empty: there are none, or no file is named.
std::string read_promoted(const std::string& file, const std::string& program);

/// Prints a message if the file cannot be written.
void write_promoted(const std::string& file, const std::string& program, const std::string& places);

}  // namespace heddle::cli
