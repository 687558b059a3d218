#include "preload/forked_copy.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/machine.hpp"
#include "base/raw.hpp"
#include "runtime/process/children.hpp"

namespace heddle::preload {
namespace {

constexpr int kRounds =
    1000;  // of killing: a process that starts others faster than it is killed must not hang this one
constexpr std::size_t kNewInCopy = 12 * 4096;  // for arrays that an execution fills and its exploration does not

/// All that the kernel lists at once. Those that are left are listed again.
void kill_children() {
  const long file = raw::syscall6(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/thread-self/children"),
                                  O_RDONLY | O_CLOEXEC, 0, 0, 0);
  char text[4096];
  const long got = raw::syscall6(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1, 0, 0, 0);
  raw::syscall6(SYS_close, file, 0, 0, 0, 0, 0);
  long process = 0;
  for (long i = 0; i < got; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      process = process * 10 + (text[i] - '0');
    } else {
      if (process > 1) raw::syscall6(SYS_kill, process, SIGKILL, 0, 0, 0, 0);
      process = 0;
    }
  }
}

}  // namespace

Report::Report(Channel& channel) : channel_(channel), shared_(new Shared{}) {}

void Report::expect() {
  channel_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  delete shared_->trace;
  shared_->trace = nullptr;
  shared_->complete = false;
  shared_->ended_unseen = false;
  shared_->schedule.clear();
}

void Report::tell(const engine::ExecutionResult& result) {
  shared_->verdict = *result.verdict;
  shared_->steps = result.steps;
  shared_->operations = result.operations;
  shared_->contexts = result.contexts;
  shared_->left_out_unfair = result.left_out_unfair;
  shared_->schedule.reserve(result.schedule.size());
  for (const Choice choice : result.schedule) shared_->schedule.push_back(choice);
  if (result.trace != nullptr) shared_->trace = new Trace(*result.trace);
  if (runtime::children_started() != 0) channel_.started_child = true;
  shared_->complete = true;
  // The user wants to see what a failing program still had in its buffers. This takes no locks, because an operation
  // that never runs again may hold them. If memory is so corrupt that this crashes, everything has been reported
  // already.
  if (result.verdict->is_failure()) fflush_unlocked(stdout);
  raw::exit_process(0);
}

engine::ExecutionResult Report::await(int process) {
  channel_.counts.process.store(process, std::memory_order_relaxed);
  const int status = wait_for_copy(process);
  channel_.counts.process.store(0, std::memory_order_relaxed);
  end_strays();
  if (channel_.ending == Ending::refused) raw::exit_process(kExitRefused);  // the copy said what
  if (!shared_->complete) explain_death(process, status);
  return {&shared_->verdict, shared_->steps,           shared_->operations,   shared_->schedule.span(),
          shared_->trace,    shared_->left_out_unfair, shared_->ended_unseen, shared_->contexts};
}

/// Without heddle, the output of the program need not be a file.
bool Report::is_output_at_limit() const {
  const std::uint64_t limit = limit_of(RLIMIT_FSIZE);
  for (const int file : {channel_.request.output, channel_.request.errors}) {
    struct stat status {};
    raw::syscall6(SYS_fstat, file, reinterpret_cast<long>(&status), 0, 0, 0, 0);
    if (static_cast<std::uint64_t>(status.st_size) >= limit) return true;
  }
  return false;
}

/// The copy did not finish: it was killed, or it exited in a way that heddle does not intercept.
void Report::explain_death(int process, int status) {
  shared_->verdict = {};
  shared_->steps = 0;
  shared_->operations = 0;  // unknown
  shared_->contexts = 0;
  char text[200];
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXFSZ && is_output_at_limit()) end_refused(Scarce::file, EFBIG);
    const bool was_poked = signal == kPoke;  // it has become another program, which does not know that signal
    if (was_poked || (signal == SIGKILL && channel_.ended_process == process)) return ended_by_command();
    shared_->verdict.kind = VerdictKind::signal;
    std::snprintf(text, sizeof text, "the process was killed by signal %d (%s)", signal, strsignal(signal));
  } else {
    const int code = WEXITSTATUS(status);
    shared_->ended_unseen = true;
    channel_.unseen_ends.fetch_add(1, std::memory_order_relaxed);
    if (channel_.request.exits.has(code)) return;  // it passed
    shared_->verdict.kind = VerdictKind::exited;
    std::snprintf(text, sizeof text, "the process ended with exit code %d, by a system call that heddle did not see",
                  code);
  }
  shared_->verdict.set_text(text);
}

void Report::ended_by_command() {
  channel_.counts.ended.fetch_add(1, std::memory_order_relaxed);
  shared_->verdict.kind = VerdictKind::cut;
  shared_->verdict.cut = CutReason::ended;
  if (channel_.ended_text[0] == '\0')
    std::snprintf(channel_.ended_text, sizeof channel_.ended_text, "it took no step and became another program");
  shared_->verdict.set_text(channel_.ended_text);
}

int fork_copy() {
  const long process = raw::syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
  if (process < 0) end_refused(Scarce::process, static_cast<int>(-process));
  if (process == 0) {
    raw::syscall6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    raw::touch_next_small_mappings(kNewInCopy);
  }
  return static_cast<int>(process);
}

int fork_sibling() {
  const long process = raw::syscall6(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0, 0);
  if (process < 0) end_refused(Scarce::process, static_cast<int>(-process));
  return static_cast<int>(process);
}

int wait_for_copy(int process) {
  int status = 0;
  while (raw::syscall6(SYS_wait4, process, reinterpret_cast<long>(&status), 0, 0, 0, 0) != process) {
  }
  return status;
}

bool has_children() {
  siginfo_t unused{};
  return raw::syscall6(SYS_waitid, P_ALL, 0, reinterpret_cast<long>(&unused), WEXITED | WNOHANG | WNOWAIT | __WALL, 0,
                       0) == 0;
}

void adopt_strays() { raw::syscall6(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0); }

void end_strays() {
  for (int round = 0; round < kRounds && has_children(); ++round) {
    kill_children();
    while (raw::syscall6(SYS_wait4, -1, 0, WNOHANG | __WALL, 0, 0, 0) > 0) {
    }
    raw::syscall6(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
}

}  // namespace heddle::preload
