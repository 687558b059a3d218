// The functions of heddle that a body can call.
#include <cstdio>
#include <cstdlib>

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "heddle/heddle.hpp"
#include "runtime/front.hpp"

namespace heddle {

using runtime::front;

bool is_exploring() noexcept { return engine::is_controlled(); }

std::uint32_t choose(std::uint32_t bound) {
  if (bound == 0) throw WrongUse("heddle::choose(0): there is no value below 0 to choose");
  if (bound > 0x7fff'ffffu) throw WrongUse("heddle::choose: a bound above 2147483647");
  return is_exploring() ? front.execution().choose(bound) : 0;
}

bool inject_failure() { return is_exploring() && front.execution().choose(2, true) == 1; }

void observe(std::uint64_t state) {
  if (is_exploring()) front.scheduler().observe(front.self(), mix(state + 1));
}

void observe(const void* object, std::uint64_t state) {
  if (is_exploring()) front.scheduler().observe(object, mix(state + 1));
}

void fail(std::string_view message) {
  if (is_exploring()) front.execution().fail(VerdictKind::failed, message);
  std::fprintf(stderr, "heddle::fail outside an exploration: %s\n", printable_lines(message).c_str());
  std::abort();
}

void step() {
  if (is_exploring()) front.execution().step({model::EventKind::step, kNoResource, __builtin_return_address(0)});
}

}  // namespace heddle
