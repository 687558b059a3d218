// What heddle looks for while a program runs: one row and one file for each detector.
//
// A detector is called only when there can be something to detect: an operation comes to wait for something it cannot
// have, no operation can go on, all operations have ended, a primitive is called, memory is accessed, or an execution
// has used up its steps. None of these is on the path of a scheduling point, so detectors cost nothing there. Detectors
// in the engine are called through this table, in its order. The others are called by the code that sees what they
// examine; the row names that file.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/ids.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

class Execution;

struct Detector {
  std::string_view name;
  std::string_view looks_for;        // `threads that ...`
  std::array<VerdictKind, 3> gives;  // the verdicts; the rest is filled with `passed`
  std::string_view asked = {};       // the file that calls it, if it is not called through one of the functions
  /// An operation waits for one that cannot go on either. True: the wait is dealt with. Ends the execution if it is a
  /// bug.
  bool (*at_wait)(Execution&, OperationId who) = nullptr;
  /// No operation can go on. The last detector called ends the execution.
  void (*at_standstill)(Execution&) = nullptr;
  /// The last operation has ended, and some were neither joined nor detached, or not yet.
  void (*at_end)(Execution&) = nullptr;
};

std::span<const Detector> detectors();

}  // namespace heddle::engine
