// The file of --promoted: places that became scheduling points, kept from one run to the next.
#pragma once

#include <string>

namespace heddle::cli {

/// Places are of one build: those of another are left alone. Empty: there are none, or no file is named.
std::string read_promoted(const std::string& file, const std::string& program);

/// Says so if it cannot.
void write_promoted(const std::string& file, const std::string& program, const std::string& places);

}  // namespace heddle::cli
