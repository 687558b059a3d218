#include "preload/forked.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/check.hpp"
#include "base/raw.hpp"

namespace heddle::preload {

Forked::Forked(engine::InProcess& inner, engine::Carrier& carrier, Board& board)
    : inner_(inner), carrier_(carrier), board_(board), schedule_(new CommonVector<Choice>) {
  report_.append();
  input_start_ = raw::syscall6(SYS_lseek, 0, 0, SEEK_CUR, 0, 0, 0);
}

engine::ExecutionResult Forked::run(strategy::Strategy& strategy, bool record) {
  Report& report = report_[0];
  delete report.trace;
  report.trace = nullptr;
  report.complete = false;
  schedule_->clear();
  board_.counts.begun.fetch_add(1, std::memory_order_relaxed);
  if (input_start_ >= 0) raw::syscall6(SYS_lseek, 0, input_start_, SEEK_SET, 0, 0, 0);
  const long child = raw::syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
  HEDDLE_CHECK(child >= 0, "the kernel refused another process");
  if (child == 0) run_copy(strategy, record);
  board_.counts.process.store(static_cast<std::int32_t>(child), std::memory_order_relaxed);
  int status = 0;
  while (raw::syscall6(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0, 0, 0) != child) {
  }
  board_.counts.process.store(0, std::memory_order_relaxed);
  if (!report.complete) explain_death(status);
  carrier_.keep_ready(report.operations);  // the next copies will need as many
  return {&report.verdict, report.steps, report.operations, schedule_->span(), report.trace};
}

void Forked::run_copy(strategy::Strategy& strategy, bool record) {
  const engine::ExecutionResult result = inner_.run(strategy, record);
  Report& report = report_[0];
  report.verdict = *result.verdict;
  report.steps = result.steps;
  report.operations = result.operations;
  schedule_->reserve(result.schedule.size());
  for (const Choice choice : result.schedule) schedule_->push_back(choice);
  if (result.trace != nullptr) report.trace = new Trace(*result.trace);
  report.complete = true;
  raw::exit_process(0);
}

/// The copy did not come to its end: something killed it, or it left by a way that heddle does not know.
void Forked::explain_death(int status) {
  Report& report = report_[0];
  report.verdict = {};
  report.steps = 0;
  report.operations = 1;
  char text[200];
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const bool given_up = signal == SIGKILL && board_.stop.load(std::memory_order_relaxed);
    report.verdict.kind = given_up ? VerdictKind::cut : VerdictKind::signal;
    std::snprintf(text, sizeof text, "the process was killed by signal %d (%s)", signal, strsignal(signal));
  } else {
    report.verdict.kind = VerdictKind::exited;
    std::snprintf(text, sizeof text, "the process ended with exit code %d, by a system call that heddle did not see",
                  WEXITSTATUS(status));
  }
  report.verdict.set_text(text);
}

}  // namespace heddle::preload
