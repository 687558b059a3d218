#include "preload/forked_copy.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstring>

#include "base/check.hpp"
#include "base/raw.hpp"
#include "runtime/process/children.hpp"

namespace heddle::preload {
namespace {

constexpr std::size_t kNewInCopy = 12 * 4096;  // of the arrays that an execution fills and its exploration does not

}  // namespace

Report::Report(Channel& channel) : channel_(channel), shared_(new Shared{}) {}

void Report::expect() {
  channel_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  delete shared_->trace;
  shared_->trace = nullptr;
  shared_->complete = false;
  shared_->schedule.clear();
}

void Report::tell(const engine::ExecutionResult& result) {
  shared_->verdict = *result.verdict;
  shared_->steps = result.steps;
  shared_->operations = result.operations;
  shared_->left_out_unfair = result.left_out_unfair;
  shared_->schedule.reserve(result.schedule.size());
  for (const Choice choice : result.schedule) shared_->schedule.push_back(choice);
  if (result.trace != nullptr) shared_->trace = new Trace(*result.trace);
  if (runtime::children_started() != 0) channel_.started_child = true;
  shared_->complete = true;
  // What a failing program had in its buffers belongs to what its user wants to see. Without locks, which somebody who
  // will never go on may hold. If memory is so broken that this crashes, all has been told.
  if (result.verdict->is_failure()) fflush_unlocked(stdout);
  raw::exit_process(0);
}

engine::ExecutionResult Report::await(int process) {
  channel_.counts.process.store(process, std::memory_order_relaxed);
  const int status = wait_for_copy(process);
  channel_.counts.process.store(0, std::memory_order_relaxed);
  if (!shared_->complete) explain_death(status);
  return {&shared_->verdict,        shared_->steps, shared_->operations,
          shared_->schedule.span(), shared_->trace, shared_->left_out_unfair};
}

/// The copy did not come to its end: something killed it, or it left by a way that heddle does not know.
void Report::explain_death(int status) {
  shared_->verdict = {};
  shared_->steps = 0;
  shared_->operations = 0;  // nobody knows
  char text[200];
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const bool given_up = signal == SIGKILL && channel_.given_up.exchange(false);
    shared_->verdict.kind = given_up ? VerdictKind::cut : VerdictKind::signal;
    std::snprintf(text, sizeof text, "the process was killed by signal %d (%s)", signal, strsignal(signal));
  } else {
    shared_->verdict.kind = VerdictKind::exited;
    std::snprintf(text, sizeof text, "the process ended with exit code %d, by a system call that heddle did not see",
                  WEXITSTATUS(status));
  }
  shared_->verdict.set_text(text);
}

int fork_copy() {
  const long process = raw::syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
  HEDDLE_CHECK(process >= 0, "the kernel refused another process");
  if (process == 0) {
    raw::syscall6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    raw::touch_next_small_mappings(kNewInCopy);
  }
  return static_cast<int>(process);
}

int wait_for_copy(int process) {
  int status = 0;
  while (raw::syscall6(SYS_wait4, process, reinterpret_cast<long>(&status), 0, 0, 0, 0) != process) {
  }
  return status;
}

}  // namespace heddle::preload
