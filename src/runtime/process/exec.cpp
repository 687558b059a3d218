// Starts other programs. They are not explored, and their environment does not load heddle.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdarg>

#include "base/page_vector.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/traps.hpp"
#include "runtime/process/become.hpp"
#include "runtime/process/children.hpp"
#include "runtime/process/environment_variables.hpp"
#include "runtime/process/started.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(execve);
HEDDLE_REAL(execvpe);
HEDDLE_REAL(fexecve);
HEDDLE_REAL(posix_spawn);
HEDDLE_REAL(posix_spawnp);
HEDDLE_REAL(system);
HEDDLE_REAL(popen);

namespace {

/// Under control, or in a child of a process under control.
bool is_ours() { return is_controlled() || is_free_child(); }

char* const* environment_for(char* const* given) { return is_ours() ? without_heddle(given) : given; }

PageVector<char*> arguments;  // of the execl functions

/// Collects the arguments up to the end of the list; `list` is then past them.
char* const* collect(const char* first, va_list& list) {
  arguments.clear();
  for (const char* one = first; one != nullptr; one = va_arg(list, const char*))
    arguments.push_back(const_cast<char*>(one));
  arguments.push_back(nullptr);
  return arguments.data();
}

/// One of the exec functions, with its arguments.
struct Exec {
  enum class By { path, file, descriptor };
  By by;
  const char* name;
  int descriptor;
  char* const* argv;
  char* const* environment;

  int call() const {
    const FreeClock for_the_new_program;
    switch (by) {
      case By::path:
        return real_execve(name, argv, environment);
      case By::file:
        return real_execvpe(name, argv, environment);
      case By::descriptor:
        break;
    }
    return real_fexecve(descriptor, argv, environment);
  }
};

int execute(Exec exec, const void* place) {
  exec.environment = environment_for(exec.environment);
  if (!is_to_become()) return exec.call();
  return become([](void* one) { return static_cast<Exec*>(one)->call(); }, &exec, place);
}

int execute_path(const char* path, char* const* argv, char* const* environment, const void* place) {
  return execute({Exec::By::path, path, -1, argv, environment}, place);
}

int execute_file(const char* file, char* const* argv, char* const* environment, const void* place) {
  return execute({Exec::By::file, file, -1, argv, environment}, place);
}

/// Makes a step before the start, and notes it.
void start(const void* place) {
  if (!is_controlled()) return;
  front.execution().step(event(EventKind::create, kNoResource, place));
  note_child_started();
}

}  // namespace

HEDDLE_EXPORT int execve(const char* path, char* const* argv, char* const* environment) noexcept {
  return execute_path(path, argv, environment, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execv(const char* path, char* const* argv) noexcept {
  return execute_path(path, argv, environ, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execvp(const char* file, char* const* argv) noexcept {
  return execute_file(file, argv, environ, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execvpe(const char* file, char* const* argv, char* const* environment) noexcept {
  return execute_file(file, argv, environment, HEDDLE_PLACE);
}

HEDDLE_EXPORT int fexecve(int descriptor, char* const* argv, char* const* environment) noexcept {
  return execute({Exec::By::descriptor, nullptr, descriptor, argv, environment}, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  va_end(list);
  return execute_path(path, argv, environ, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  va_end(list);
  return execute_file(file, argv, environ, HEDDLE_PLACE);
}

HEDDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  char* const* const environment = va_arg(list, char* const*);
  va_end(list);
  return execute_path(path, argv, environment, HEDDLE_PLACE);
}

HEDDLE_EXPORT int posix_spawn(pid_t* __restrict child, const char* __restrict path,
                              const posix_spawn_file_actions_t* __restrict actions,
                              const posix_spawnattr_t* __restrict attributes, char* const* __restrict argv,
                              char* const* __restrict environment) {
  start(HEDDLE_CALL_PLACE);
  const FreeClock for_the_new_program;
  return real_posix_spawn(child, path, actions, attributes, argv, environment_for(environment));
}

HEDDLE_EXPORT int posix_spawnp(pid_t* __restrict child, const char* __restrict file,
                               const posix_spawn_file_actions_t* __restrict actions,
                               const posix_spawnattr_t* __restrict attributes, char* const* __restrict argv,
                               char* const* __restrict environment) {
  start(HEDDLE_CALL_PLACE);
  const FreeClock for_the_new_program;
  return real_posix_spawnp(child, file, actions, attributes, argv, environment_for(environment));
}

// Waits in the kernel for its child; all operations wait with it.
HEDDLE_EXPORT int system(const char* command) {
  if (!is_ours()) return real_system(command);
  start(HEDDLE_CALL_PLACE);
  const EnvironmentWithoutHeddle environment;
  const FreeClock for_the_new_program;
  return real_system(command);
}

HEDDLE_EXPORT FILE* popen(const char* command, const char* type) {
  if (!is_ours()) return real_popen(command, type);
  start(HEDDLE_CALL_PLACE);
  const EnvironmentWithoutHeddle environment;
  const FreeClock for_the_new_program;
  return real_popen(command, type);
}
