// Forked copies of the program, and how a copy reports its execution through memory shared with its parent.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "engine/isolation.hpp"
#include "preload/channel.hpp"
#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::preload {

/// One plain fork system call that bypasses libc. Returns zero in the copy, which ends when its parent does.
int fork_copy();
/// Waits for the process to end and returns its status.
int wait_for_copy(int process);
/// A process beside this one instead of below it, which `end_strays` leaves alone. Returns zero there.
int fork_sibling();

bool has_children();
/// From now on, processes whose parent has ended become children of this one.
void adopt_strays();
/// Ends what an execution left behind: this process has no other children.
void end_strays();

class Report {
 public:
  explicit Report(Channel& channel);

  /// Forks; the copy runs an execution by calling `run`, which returns its result.
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
    std::uint32_t contexts;
    bool complete;
    bool left_out_unfair;
    bool ended_unseen;
    Trace* trace;
    CommonVector<Choice> schedule;
  };

  void expect();
  [[noreturn]] void tell(const engine::ExecutionResult& result);  // called by the copy, at its end
  engine::ExecutionResult await(int process);
  void explain_death(int process, int status);
  void ended_by_command();
  bool is_output_at_limit() const;

  Channel& channel_;
  Shared* shared_;
};

}  // namespace heddle::preload
