#include "runtime/process/become.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/machine.hpp"
#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/process/children.hpp"
#include "runtime/process/started.hpp"

namespace heddle::runtime {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() { raw::syscall6(SYS_pipe2, reinterpret_cast<long>(ends), O_CLOEXEC, 0, 0, 0, 0); }
  void close(int end) { raw::syscall6(SYS_close, ends[end], 0, 0, 0, 0, 0); }
};

/// Waits until the child is another program, or could not become one: then returns the error.
int error_of(Pipe& pipe) {
  int error = 0;
  pipe.close(1);
  while (raw::syscall6(SYS_read, pipe.ends[0], reinterpret_cast<long>(&error), sizeof error, 0, 0, 0) == -EINTR) {
  }
  pipe.close(0);
  return error;
}

int status_of(pid_t child) {
  int status = 0;
  while (raw::syscall6(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0, 0, 0) == -EINTR) {
  }
  return status;
}

[[noreturn]] void end_as(int status) {
  if (!WIFSIGNALED(status)) front.end_program(WEXITSTATUS(status));
  char text[120];
  std::snprintf(text, sizeof text, "the program that it executed was killed by signal %d (%s)", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
  front.execution().fail(VerdictKind::signal, text);
}

}  // namespace

bool is_to_become() { return is_controlled() && front.is_program(); }

int become(int (*exec)(void*), void* argument, const void* place) {
  front.execution().step(event(model::EventKind::create, kNoResource, place));
  Pipe pipe;
  const long child = raw::syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
  if (child == 0) {
    become_free_child();
    exec(argument);
    const int error = errno;
    raw::write_all(pipe.ends[1], reinterpret_cast<const char*>(&error), sizeof error);
    raw::exit_process(127);
  }
  if (child < 0) {
    pipe.close(0);
    pipe.close(1);
    end_refused(Scarce::process, static_cast<int>(-child));
  }
  const int error = error_of(pipe);
  if (error == 0) note_child_started();
  const int status = status_of(static_cast<pid_t>(child));
  if (error == 0) end_as(status);
  errno = error;
  return -1;
}

}  // namespace heddle::runtime
