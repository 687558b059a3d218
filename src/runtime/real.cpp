#include "runtime/real.hpp"

// Where they all stand: named by the linker after the section.
extern heddle::runtime::RealFunction __start_heddle_real[] __attribute__((visibility("hidden")));
extern heddle::runtime::RealFunction __stop_heddle_real[] __attribute__((visibility("hidden")));

namespace heddle::runtime {

void RealFunction::find_all() {
  for (RealFunction* each = __start_heddle_real; each != __stop_heddle_real; ++each) each->look_up();
}

}  // namespace heddle::runtime
