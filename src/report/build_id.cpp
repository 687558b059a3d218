#include "report/build_id.hpp"

#include "report/dwarf.hpp"

namespace heddle::report {

std::string build_id_of(const std::string& path) { return DebugInfo(path).build_id(); }

}  // namespace heddle::report
