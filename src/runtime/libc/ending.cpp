// The ways in which a program ends itself: assert, abort, exit, an uncaught exception. Inside an execution each is a
// verdict. It is also a step of its own while another operation can go on, so that what the others do before it, and
// which of two ends comes first, is explored. A failure that heddle itself finds is not a separate step: it belongs to
// the step that failed.
#include <assert.h>
#include <cxxabi.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "base/raw.hpp"
#include "runtime/ending.hpp"
#include "runtime/front.hpp"
#include "runtime/program_exception.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(abort);
HEDDLE_REAL(exit);
HEDDLE_REAL(_exit);
HEDDLE_REAL(quick_exit);
HEDDLE_REAL(__assert_fail);

namespace {

const char* file_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// If so, the caller is the program's fault handler. All operations share that stack, so none may wait on it.
bool is_on_fault_stack() {
  stack_t stack{};
  raw::syscall6(SYS_sigaltstack, 0, reinterpret_cast<long>(&stack), 0, 0, 0, 0);
  return (stack.ss_flags & SS_ONSTACK) != 0;
}

/// The end of the program is a step: other operations may take any number of steps before it.
void step_to_end(const void* place) {
  if (front.scheduler().enabled().size() < 2 || is_on_fault_stack()) return;
  front.execution().step(event(model::EventKind::exit, kNoResource, place));
}

[[noreturn]] void exited(int code, const void* place) {
  step_to_end(place);
  if (front.is_program()) front.end_program(code);
  char text[80];
  std::snprintf(text, sizeof text, "T%u called exit(%d)", index(front.self()), code);
  front.execution().fail(VerdictKind::exited, text);
}

/// The description of the exception in flight; an empty text if there is none.
void describe_exception(char* text, std::size_t size) {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return;
  int status = 0;
  char* const readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const char* const name = status == 0 ? readable : type->name();
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::exception& exception) {
    std::snprintf(text, size, "uncaught exception %s: %s", name, exception.what());
  } catch (...) {
    std::snprintf(text, size, "uncaught exception %s", name);
  }
  std::free(readable);
}

/// A program that heddle was loaded into gets here from its own std::terminate.
[[noreturn]] void aborted(const void* caller) {
  char text[400] = "";
  bool by_library = false;
  {
    const engine::Uncontrolled heddle_at_work;
    by_library = is_in_cpp_library(caller);
    if (by_library) describe_program_exception(text, sizeof text);
  }
  if (text[0] != '\0') front.execution().fail(VerdictKind::exception, text);
  front.execution().fail(VerdictKind::aborted,
                         by_library ? "the C++ library called abort, with no exception in flight (as when a joinable "
                                      "std::thread is destroyed)"
                                    : "abort was called");
}

std::terminate_handler previous_terminate = nullptr;

[[noreturn]] void on_terminate() {
  if (!is_controlled()) {
    if (previous_terminate) previous_terminate();
    real_abort();
    __builtin_unreachable();
  }
  step_to_end(HEDDLE_PLACE);
  char text[400] = "";
  {
    const engine::Uncontrolled heddle_at_work;
    describe_exception(text, sizeof text);
  }
  if (text[0] != '\0') front.execution().fail(VerdictKind::exception, text);
  front.execution().fail(VerdictKind::aborted,
                         "std::terminate without an exception (as when a joinable std::thread is destroyed)");
}

}  // namespace

namespace heddle::runtime {

TerminateGuard::TerminateGuard() { previous_terminate = std::set_terminate(on_terminate); }
TerminateGuard::~TerminateGuard() { std::set_terminate(previous_terminate); }

}  // namespace heddle::runtime

HEDDLE_EXPORT void abort() noexcept {
  if (is_controlled()) {
    step_to_end(HEDDLE_PLACE);
    if (signals_in_use && signals.handle_abort()) step_to_end(HEDDLE_PLACE);  // others may see the handler's effects
    aborted(HEDDLE_PLACE);
  }
  real_abort();
  __builtin_unreachable();
}

HEDDLE_EXPORT void exit(int code) noexcept {
  if (is_controlled()) {
    if (!front.is_program()) exited(code, HEDDLE_PLACE);
    step_to_end(HEDDLE_PLACE);
    if (front.is_exiting() && front.exiting() != front.self())  // of two that call exit the first ends the program
      front.execution().step_when_admitted(
          event(model::EventKind::join, front.execution().lifetime_id(front.exiting()), HEDDLE_PLACE));
    front.begin_exit();  // a program ends after its handlers: see src/preload
  }
  real_exit(code);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _exit(int code) {
  if (is_controlled()) exited(code, HEDDLE_CALL_PLACE);
  real__exit(code);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _Exit(int code) noexcept { _exit(code); }

HEDDLE_EXPORT void quick_exit(int code) noexcept {
  if (is_controlled()) exited(code, HEDDLE_PLACE);
  real_quick_exit(code);
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line,
                                 const char* function) noexcept {
  if (is_controlled()) {
    step_to_end(HEDDLE_PLACE);
    char text[400];
    std::snprintf(text, sizeof text, "assertion `%s` failed at %s:%u", condition, file_name(file), line);
    front.execution().fail(VerdictKind::assertion, text);
  }
  real___assert_fail(condition, file, line, function);
  __builtin_unreachable();
}
