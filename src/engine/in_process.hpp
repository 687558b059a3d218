// Runs executions in this process: the program is called again, on donors that are reused.
#pragma once

#include <optional>

#include "engine/crash.hpp"
#include "engine/execution.hpp"
#include "engine/executor.hpp"
#include "engine/isolation.hpp"
#include "engine/recorder.hpp"
#include "engine/settings.hpp"

namespace heddle::engine {

/// The program that is run repeatedly.
class Program {
 public:
  virtual ~Program() = default;
  virtual Entry main() = 0;
  /// Called at home, around all executions.
  virtual void before_exploration() {}
  virtual void after_exploration() {}
  /// Called at home, in the process and on the thread that now runs operations.
  virtual void about_to_run() {}
  /// Called at home, before and after each execution.
  virtual void before_execution(Execution&) {}
  virtual void after_execution(Execution&) {}
  /// Adds what else must be the same to replay the execution that was just recorded.
  virtual void describe(TraceHeader&) const {}
};

class InProcess final : public Isolation {
 public:
  InProcess(Executor& executor, Program& program, const Settings& settings)
      : executor_(executor), program_(program), settings_(settings), execution_(executor) {}

  void open() override;  // from here on fatal signals are verdicts
  void close() override;
  void set_points(Points points) override { settings_.points = points; }
  void set_choices(Choices choices) override { settings_.choices = choices; }
  ExecutionResult run(Chooser chooser, bool record) override;
  OperationId running() const override { return execution_.self(); }
  ExecutionResult so_far(const Verdict& verdict) override;

  /// Runs the beginning of an execution along `strategy`. False: the execution ended before the gate.
  bool run_up_to(Gate& gate, strategy::Strategy& strategy);
  /// The result of an execution that ended before the gate.
  ExecutionResult ended() { return result(execution_.verdict()); }
  /// Called by the gate on the stack of the running operation: makes `run_up_to` return. Returns when `resume` is
  /// called.
  void pause();
  /// Runs the rest of that execution.
  ExecutionResult resume();

 private:
  ExecutionResult result(const Verdict& verdict);

  Executor& executor_;
  Program& program_;
  Settings settings_;
  Execution execution_;
  std::optional<CrashGuard> guard_;
  Recorder recorder_;
  Trace trace_;
  bool recording_ = false;
  bool paused_ = false;
};

}  // namespace heddle::engine
