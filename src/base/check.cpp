#include "base/check.hpp"

#include <cstring>

#include "base/raw.hpp"

namespace heddle {
namespace {

constexpr int kExitFault = 3;
FaultHook fault_hook = nullptr;

void say(const char* text) { raw::write_all(2, text, std::strlen(text)); }

void say_number(int value) {
  char digits[16];
  int at = sizeof digits;
  do digits[--at] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  raw::write_all(2, digits + at, sizeof digits - static_cast<unsigned>(at));
}

}  // namespace

void set_fault_hook(FaultHook hook) { fault_hook = hook; }

void report_fault(const char* condition, const char* message, const char* file, int line) {
  const char* name = std::strrchr(file, '/');
  say("\nheddle: this is a fault in heddle itself, not in your program: ");
  say(message);
  say("\n  check `");
  say(condition);
  say("` failed at ");
  say(name ? name + 1 : file);
  say(":");
  say_number(line);
  say("\n");
  if (FaultHook hook = fault_hook) {
    fault_hook = nullptr;
    hook();
  }
  raw::exit_process(kExitFault);
}

}  // namespace heddle
