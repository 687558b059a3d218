// Each execution in a forked copy of the program, as it was before `main`.
//
// Only the carrier runs, so one plain fork system call copies a program with any number of threads: the donors' memory
// is all that the copy needs. What strategies learn and what the execution was go through memory that is shared.
#pragma once

#include "base/page_vector.hpp"
#include "engine/carrier.hpp"
#include "engine/in_process.hpp"
#include "engine/isolation.hpp"
#include "preload/board.hpp"

namespace heddle::preload {

class Forked final : public engine::Isolation {
 public:
  Forked(engine::InProcess& inner, engine::Carrier& carrier, Board& board);

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return true; }
  engine::ExecutionResult run(strategy::Strategy& strategy, bool record) override;
  OperationId running() const override { return inner_.running(); }
  engine::ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  /// How the copy tells of its execution.
  struct Report {
    Verdict verdict;
    std::uint64_t steps;
    std::uint32_t operations;
    bool complete;
    const Trace* trace;  // made by the copy in shared memory
  };

  [[noreturn]] void run_copy(strategy::Strategy& strategy, bool record);
  void explain_death(int status);

  engine::InProcess& inner_;
  engine::Carrier& carrier_;
  Board& board_;
  CommonVector<Report> report_;  // one
  CommonVector<Choice>* schedule_;
  long input_start_ = -1;  // where the standard input stood; negative: it cannot be put back
};

}  // namespace heddle::preload
