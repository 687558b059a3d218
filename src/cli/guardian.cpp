#include "cli/guardian.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <new>
#include <stdexcept>

#include "cli/family.hpp"
#include "cli/machine_limit.hpp"

namespace heddle::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(1500);  // with processes that are killed, until they are gone
constexpr int kPatienceWithGuardianMs = 1800;
constexpr int kTickMs = 20;  // where the kernel has no descriptor left for the ends of children

sigset_t all_signals() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

}  // namespace

Guardian::Guardian(const std::function<void()>& become_program) {
  void* const page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  granted(page == MAP_FAILED ? -1 : 0, Scarce::memory);
  shared_ = new (page) Shared;
  granted(pipe2(pipe_, O_CLOEXEC), Scarce::descriptor);
  adopt_orphans();
  process_ = granted(fork(), Scarce::process);
  if (process_ == 0) guard(become_program);
  setpgid(process_, process_);
  close(pipe_[0]);
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
}

Guardian::~Guardian() {
  end();
  if (!has_ended_ && !has_ended(kPatienceWithGuardianMs)) {
    kill(process_, SIGKILL);
    has_ended(kPatienceWithGuardianMs);
  }
  munmap(shared_, sizeof(Shared));
}

void Guardian::end() {
  if (pipe_[1] >= 0) close(pipe_[1]);
  pipe_[1] = -1;
}

bool Guardian::has_ended(int milliseconds) {
  pollfd ended{handle_, POLLIN, 0};
  if (has_ended_) return true;
  if (poll(&ended, 1, milliseconds) <= 0) return false;
  has_ended_ = true;
  waitpid(process_, nullptr, 0);
  close(handle_);
  was_killed_ = !shared_->done;
  if (was_killed_) left_some_ = !end_descendants(kPatience);
  left_some_ = left_some_ || shared_->left_some;
  if (const int error = shared_->error) {
    errno = error;
    granted(-1, Scarce::process);
  }
  return true;
}

/// Keeps out of the command's group, so that no signal to all of that reaches it.
void Guardian::guard(const std::function<void()>& become_program) {
  setpgid(0, 0);
  close(pipe_[1]);
  sigset_t before;
  const sigset_t all = all_signals();
  sigprocmask(SIG_SETMASK, &all, &before);
  adopt_orphans();
  const int program = fork();
  if (program == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    become_program();
    _exit(127);
  }
  if (program < 0) shared_->error = errno;
  shared_->program = program;
  if (program > 0) wait_for_program();
  shared_->left_some = !end_descendants(kPatience);
  shared_->done = true;
  _exit(0);
}

/// Until the command wants no more of it.
void Guardian::wait_for_program() const {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int ends = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  for (int status = 0;;) {
    pollfd events[] = {{pipe_[0], POLLIN, 0}, {ends, POLLIN, 0}};
    if (poll(events, 2, ends < 0 ? kTickMs : -1) < 0) return;
    if (events[0].revents != 0) return;
    signalfd_siginfo unused;
    while (read(ends, &unused, sizeof unused) > 0) {
    }
    if (!reap(shared_->program, status)) continue;
    shared_->status = status;
    return;
  }
}

}  // namespace heddle::cli
