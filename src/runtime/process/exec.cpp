// Starting other programs. They are not explored, and get an environment in which heddle does not load itself.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdarg>

#include "base/page_vector.hpp"
#include "runtime/front.hpp"
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

/// Under control, or a child of what is.
bool is_ours() { return is_controlled() || is_free_child(); }

char* const* environment_for(char* const* given) { return is_ours() ? without_heddle(given) : given; }

PageVector<char*> arguments;  // of the execl functions

/// The list of arguments up to its end; `list` is left behind that.
char* const* collect(const char* first, va_list& list) {
  arguments.clear();
  for (const char* one = first; one != nullptr; one = va_arg(list, const char*))
    arguments.push_back(const_cast<char*>(one));
  arguments.push_back(nullptr);
  return arguments.data();
}

/// A step before it, and a note that it happened.
void start(const void* place) {
  if (!is_controlled()) return;
  front.execution().step(event(EventKind::create, kNoResource, place));
  note_child_started();
}

}  // namespace

HEDDLE_EXPORT int execve(const char* path, char* const* argv, char* const* environment) noexcept {
  return real_execve(path, argv, environment_for(environment));
}

HEDDLE_EXPORT int execv(const char* path, char* const* argv) noexcept {
  return real_execve(path, argv, environment_for(environ));
}

HEDDLE_EXPORT int execvp(const char* file, char* const* argv) noexcept {
  return real_execvpe(file, argv, environment_for(environ));
}

HEDDLE_EXPORT int execvpe(const char* file, char* const* argv, char* const* environment) noexcept {
  return real_execvpe(file, argv, environment_for(environment));
}

HEDDLE_EXPORT int fexecve(int descriptor, char* const* argv, char* const* environment) noexcept {
  return real_fexecve(descriptor, argv, environment_for(environment));
}

HEDDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  va_end(list);
  return real_execve(path, argv, environment_for(environ));
}

HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  va_end(list);
  return real_execvpe(file, argv, environment_for(environ));
}

HEDDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  char* const* const argv = collect(first, list);
  char* const* const environment = va_arg(list, char* const*);
  va_end(list);
  return real_execve(path, argv, environment_for(environment));
}

HEDDLE_EXPORT int posix_spawn(pid_t* __restrict child, const char* __restrict path,
                              const posix_spawn_file_actions_t* __restrict actions,
                              const posix_spawnattr_t* __restrict attributes, char* const* __restrict argv,
                              char* const* __restrict environment) {
  start(HEDDLE_PLACE);
  return real_posix_spawn(child, path, actions, attributes, argv, environment_for(environment));
}

HEDDLE_EXPORT int posix_spawnp(pid_t* __restrict child, const char* __restrict file,
                               const posix_spawn_file_actions_t* __restrict actions,
                               const posix_spawnattr_t* __restrict attributes, char* const* __restrict argv,
                               char* const* __restrict environment) {
  start(HEDDLE_PLACE);
  return real_posix_spawnp(child, file, actions, attributes, argv, environment_for(environment));
}

// Waits for its child in the kernel, and everybody with it.
HEDDLE_EXPORT int system(const char* command) {
  if (!is_ours()) return real_system(command);
  start(HEDDLE_PLACE);
  const EnvironmentWithoutHeddle environment;
  return real_system(command);
}

HEDDLE_EXPORT FILE* popen(const char* command, const char* type) {
  if (!is_ours()) return real_popen(command, type);
  start(HEDDLE_PLACE);
  const EnvironmentWithoutHeddle environment;
  return real_popen(command, type);
}
