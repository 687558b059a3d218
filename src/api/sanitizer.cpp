#include "api/sanitizer.hpp"

#include <cstdio>

#include "api/outcome.hpp"
#include "engine/control.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
extern "C" [[gnu::weak]] void __tsan_java_init();  // what heddle has in its place lacks this one

namespace heddle {
namespace {

struct Watched {
  const engine::Explorer* explorer = nullptr;
  const Exploration* exploration = nullptr;
};
Watched watched;

void on_death() {
  if (watched.explorer == nullptr || !engine::is_controlled()) return;
  const engine::Uncontrolled heddle_at_work;
  const bool has_trace = !watched.exploration->replayed.empty();
  const Result result = result_of_interrupted(
      watched.explorer->interrupted(VerdictKind::memory_error,
                                    "AddressSanitizer found a memory error (its report is above)"),
      *watched.exploration, !has_trace);
  std::fputs(result.report.c_str(), stderr);
}

}  // namespace

void refuse_thread_sanitizer() {
  if (&__tsan_java_init == nullptr) return;
  throw WrongUse(
      "this program is built with ThreadSanitizer, which switches threads itself: build it without, or with "
      "`heddle c++`");
}

SanitizerWatch::SanitizerWatch(const engine::Explorer& explorer, const Exploration& exploration) {
  if (&__sanitizer_set_death_callback == nullptr) return;
  watched = {&explorer, &exploration};
  __sanitizer_set_death_callback(on_death);
}

SanitizerWatch::~SanitizerWatch() { watched = {}; }

}  // namespace heddle
