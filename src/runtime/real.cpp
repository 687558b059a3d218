#include "runtime/real.hpp"

// The bounds of the section that holds all of them; the linker derives these names from the section's name.
extern heddle::runtime::RealFunction __start_heddle_real[] __attribute__((visibility("hidden")));
extern heddle::runtime::RealFunction __stop_heddle_real[] __attribute__((visibility("hidden")));

namespace heddle::runtime {

void RealFunction::find_all() {
  for (RealFunction* each = __start_heddle_real; each != __stop_heddle_real; ++each) each->look_up();
}

void* RealFunction::behind(std::string_view name) {
  for (RealFunction* each = __start_heddle_real; each != __stop_heddle_real; ++each)
    if (name == each->name_) return each->found();
  return nullptr;
}

}  // namespace heddle::runtime
