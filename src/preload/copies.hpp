// How a forked copy of the program tells of its execution, in memory that it shares with whoever forked it.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "engine/isolation.hpp"
#include "preload/board.hpp"
#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::preload {

class Report {
 public:
  explicit Report(Board& board);

  /// By whoever forks, before.
  void expect();
  /// By the copy, at its end, which this is.
  [[noreturn]] void tell(const engine::ExecutionResult& result);
  /// By whoever waits for the copy, when it has ended with this status.
  engine::ExecutionResult read(int status);

 private:
  struct Shared {
    Verdict verdict;
    std::uint64_t steps;
    std::uint32_t operations;
    bool complete;
    Trace* trace;
    CommonVector<Choice> schedule;
  };

  void explain_death(int status);

  Board& board_;
  Shared* shared_;
};

/// One plain fork system call: nothing of libc's takes part. Zero in the copy, which does not outlive this process.
int fork_copy();
/// Waits for its end and returns its status.
int wait_for_copy(int process);

}  // namespace heddle::preload
