#include "preload/sanitizer.hpp"

#include <cstdio>

#include "engine/control.hpp"
#include "runtime/front.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
extern "C" [[gnu::weak]] const char* __asan_get_report_description();

namespace heddle::preload {
namespace {

/// The sanitizer has written its report and would now end the process with its own exit code. Heddle leaves from the
/// middle of that: after a verdict, no process runs any more of the program.
void on_death() {
  if (!engine::is_controlled()) return;
  const char* const what = &__asan_get_report_description != nullptr ? __asan_get_report_description() : nullptr;
  char text[160];
  std::snprintf(text, sizeof text, "AddressSanitizer found a memory error: %s (its report is in the standard error)",
                what != nullptr && what[0] != '\0' ? what : "of a kind it does not name");
  runtime::front.execution().fail(VerdictKind::memory_error, text);
}

}  // namespace

void watch_sanitizer() {
  if (&__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(on_death);
}

}  // namespace heddle::preload
