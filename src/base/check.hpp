// Checks that are always on. A failed check means a fault in heddle, never in the program under test. It says so and
// ends the process with exit code 3.
#pragma once

namespace heddle {

/// Prints a last message before a fault ends the process (where the trace is, what ran). Called at most once.
using FaultHook = void (*)();
void set_fault_hook(FaultHook hook);

[[noreturn]] void report_fault(const char* condition, const char* message, const char* file, int line);

}  // namespace heddle

#define HEDDLE_CHECK(condition, message)                               \
  do {                                                                 \
    if (!(condition)) [[unlikely]]                                     \
      ::heddle::report_fault(#condition, message, __FILE__, __LINE__); \
  } while (false)
