// Records which events were handled in which states, over all executions of an exploration or a run in production.
//
//   heddle::Coverage coverage;
//   heddle::explore([&] { heddle::Runtime runtime({.log = std::ref(coverage)}); … });
//   std::puts(coverage.table().c_str());
//
// Coverage is measured against what the machines declare: pairs of a state and an event that it handles or ignores.
// Machines that were never created are not included.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "heddle/actor/runtime.hpp"

namespace heddle {

class Coverage {
 public:
  Coverage();
  ~Coverage();
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  /// To be used as RuntimeOptions::log; any thread may call it.
  void operator()(const LogRecord& record);

  std::size_t pairs_declared() const;
  std::size_t pairs_seen() const;
  std::size_t states_declared() const;
  std::size_t states_seen() const;

  /// A line for each machine, state and event, with how often it was handled; then the pairs that were not handled.
  std::string table() const;
  /// A graph for Graphviz: the states and the transitions taken, with counts. What was not seen is dashed.
  std::string dot() const;

 private:
  struct Seen;
  std::unique_ptr<Seen> seen_;
};

}  // namespace heddle
