// A failure as it is printed: what happened, the steps that led to it, where every operation was, how to replay it.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace heddle::report {

enum class Occasion {
  found,     // by an exploration, now
  replayed,  // from a trace file, now
  shown,     // from a trace file, without running anything
};

struct FailureOptions {
  bool color = false;
  int width = 100;  // columns
  Occasion occasion = Occasion::found;
  bool confirmed = false;      // the schedule was run again and ended in the same way
  std::string trace_path;      // the file that holds the trace; empty: none
  std::string replay_command;  // to paste; empty: `heddle replay <trace_path>`
};

/// Ends with a line break. The trace should have been symbolized.
std::string failure_report(const Trace& trace, const FailureOptions& options);

/// `assertion `total == 100` failed at bank.cpp:31`; for a deadlock also which operation waits for which.
std::string verdict_sentence(const Trace& trace);

}  // namespace heddle::report
