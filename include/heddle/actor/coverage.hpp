// Which events were handled in which states, over all executions of an exploration or a run in production.
//
//   heddle::Coverage coverage;
//   heddle::explore([&] { heddle::Runtime runtime({.log = std::ref(coverage)}); … });
//   std::puts(coverage.table().c_str());
//
// What could have been seen is what the machines declare: a pair of a state and an event that it handles or ignores.
// Machines that were never created are not in it.
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

  /// As RuntimeOptions::log: by any thread.
  void operator()(const LogRecord& record);

  std::size_t pairs_declared() const;
  std::size_t pairs_seen() const;
  std::size_t states_declared() const;
  std::size_t states_seen() const;

  /// A line for each machine, state and event, with how often it was handled; then what was not.
  std::string table() const;
  /// The states and the ways between them that were taken, how often, for Graphviz; what was not seen is dashed.
  std::string dot() const;

 private:
  struct Seen;
  std::unique_ptr<Seen> seen_;
};

}  // namespace heddle
