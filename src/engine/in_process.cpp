#include "engine/in_process.hpp"

namespace heddle::engine {

void InProcess::open() {
  executor_.open();
  execution_.note_home();
  guard_.emplace();
  program_.before_exploration();
}

void InProcess::close() {
  program_.after_exploration();
  guard_.reset();
  executor_.close();
}

ExecutionResult InProcess::run(Chooser chooser, bool record) {
  program_.before_execution(execution_);
  recording_ = record;
  if (record) recorder_.begin();
  program_.about_to_run();
  const Verdict& verdict = execution_.run(settings_, chooser, record ? &recorder_ : nullptr, program_.main());
  program_.after_execution(execution_);
  const ExecutionResult whole = result(verdict);
  recording_ = false;
  return whole;
}

bool InProcess::run_up_to(Gate& gate, strategy::Strategy& strategy) {
  program_.before_execution(execution_);
  recording_ = false;
  paused_ = false;
  program_.about_to_run();
  execution_.run(settings_, strategy, nullptr, program_.main(), &gate);
  return paused_;
}

void InProcess::pause() {
  paused_ = true;
  executor_.pause(execution_.self());
}

ExecutionResult InProcess::resume() {
  execution_.scheduler().vary(settings_.points, settings_.choices);
  program_.about_to_run();
  const Verdict& verdict = execution_.resume();
  program_.after_execution(execution_);
  return result(verdict);
}

ExecutionResult InProcess::so_far(const Verdict& verdict) { return result(verdict); }

ExecutionResult InProcess::result(const Verdict& verdict) {
  const Scheduler& scheduler = execution_.scheduler();
  if (recording_) {
    trace_ = recorder_.trace(scheduler, verdict);
    program_.describe(trace_.header);
  }
  return {&verdict,
          scheduler.steps(),
          scheduler.operation_count(),
          scheduler.schedule(),
          recording_ ? &trace_ : nullptr,
          scheduler.left_out_unfair(),
          false,
          executor_.contexts_used()};
}

}  // namespace heddle::engine
