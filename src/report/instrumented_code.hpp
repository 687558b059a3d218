// How much of a module's code reports its memory accesses, judged function by function from its ELF file alone.
//
// A compiler puts calls to __tsan_… into each function that has an access or a call. So a function with such a call is
// instrumented, and one that calls other functions without it is not. A function without calls may have nothing to
// report: it is left out of the count if its neighbours are instrumented, since a linker places code that was compiled
// together side by side. The linker's additions to every program (_start and the like) do not count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

struct InstrumentedCode {
  std::string module;     // path
  bool is_known = false;  // false: no symbols, so the functions are unknown
  std::uint64_t functions = 0;
  std::uint64_t instrumented = 0;  // of them
  std::uint64_t bytes = 0;         // of all those functions
  std::uint64_t instrumented_bytes = 0;
};

InstrumentedCode instrumented_code_of(const std::string& module);

/// For the modules that belong neither to the system nor to heddle, in this order.
std::vector<InstrumentedCode> instrumented_code_of(const std::vector<std::string>& modules);

/// `92 % of bank (12 of 13 functions), none of libqueue.so (0 of 7), libold.so has no symbols`
std::string instrumented_code_text(const std::vector<InstrumentedCode>& modules);

}  // namespace heddle::report
