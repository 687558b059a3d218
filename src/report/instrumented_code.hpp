// How much of a module's code tells of its accesses to memory: by its ELF file alone, function by function.
//
// A compiler puts calls to __tsan_… into each function that has an access or a call. So a function with such a call is
// instrumented, and one that calls others without it is not. One that calls nobody may have nothing to tell: it is left
// out of the count if its neighbours are instrumented, since a linker puts what was compiled together side by side.
// What every program gets from the linker (_start and its like) does not count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

struct InstrumentedCode {
  std::string module;     // path
  bool is_known = false;  // false: no symbols, so nobody knows which functions there are
  std::uint64_t functions = 0;
  std::uint64_t instrumented = 0;  // of them
  std::uint64_t bytes = 0;         // of all those functions
  std::uint64_t instrumented_bytes = 0;
};

InstrumentedCode instrumented_code_of(const std::string& module);

/// Of the modules that are not the system's nor heddle's, in this order.
std::vector<InstrumentedCode> instrumented_code_of(const std::vector<std::string>& modules);

/// `92 % of bank (12 of 13 functions), none of libqueue.so (0 of 7), libold.so has no symbols`
std::string instrumented_code_text(const std::vector<InstrumentedCode>& modules);

}  // namespace heddle::report
