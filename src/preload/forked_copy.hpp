// Forked copies of the program, and how one tells of its execution in memory that it shares with whoever forked it.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "engine/isolation.hpp"
#include "preload/channel.hpp"
#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::preload {

/// One plain fork system call: nothing of libc's takes part. Zero in the copy, which ends with its parent.
int fork_copy();
/// Waits for its end and returns its status.
int wait_for_copy(int process);

class Report {
 public:
  explicit Report(Channel& channel);

  /// Forks, and lets the copy run an execution: `run` returns its result.
  template <typename Run>
  engine::ExecutionResult of_copy(const Run& run) {
    expect();
    const int process = fork_copy();
    if (process == 0) tell(run());
    return await(process);
  }

 private:
  struct Shared {
    Verdict verdict;
    std::uint64_t steps;
    std::uint32_t operations;
    bool complete;
    bool left_out_unfair;
    Trace* trace;
    CommonVector<Choice> schedule;
  };

  void expect();
  [[noreturn]] void tell(const engine::ExecutionResult& result);  // by the copy, at its end
  engine::ExecutionResult await(int process);
  void explain_death(int status);

  Channel& channel_;
  Shared* shared_;
};

}  // namespace heddle::preload
