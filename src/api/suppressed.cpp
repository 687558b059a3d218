#include "api/suppressed.hpp"

#include <cstdlib>
#include <string>

#include "base/printable.hpp"
#include "engine/recorder.hpp"
#include "heddle/heddle.hpp"
#include "report/symbolizer.hpp"
#include "runtime/tsan/watch.hpp"

namespace heddle {

Suppressed::Suppressed(const std::string& named) {
  const std::string file = named.empty() ? report::suppressions_in(::secure_getenv("TSAN_OPTIONS")) : named;
  runtime::watch.ignored().begin();
  if (file.empty()) return;
  runtime::watch.ignored().expect();
  if (const std::string wrong = suppressions_.read(file, engine::path_of_program()); !wrong.empty())
    throw WrongUse(wrong);
}

std::uint64_t Suppressed::last_race() { return runtime::watch.ignored().last(); }

void Suppressed::ignore(std::uint64_t race) { runtime::watch.ignored().add(race); }

bool Suppressed::is_suppressed(const Trace& trace) {
  Trace named = trace;
  report::symbolize(named);
  return suppressions_.suppresses(named);
}

}  // namespace heddle
