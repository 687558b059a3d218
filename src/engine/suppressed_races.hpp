// Continues executions past races that the user has suppressed.
//
// Function names are known only outside the program, and only a recorded execution has stacks. So an execution that
// ends with a race not examined yet is run again and recorded, and its trace is examined. If the race is suppressed, it
// is ignored from then on, and the execution is run once more: along the choices made up to the race, and then onwards
// by the same strategy. To the strategy, the watchers and the explorer it was one execution that met no race. A
// systematic search therefore stays complete.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/result_filter.hpp"

namespace heddle::engine {

/// Knows which races are suppressed.
class RaceSuppressions {
 public:
  virtual ~RaceSuppressions() = default;
  /// Identifies the race that ended the last execution: the same number for the same two places.
  virtual std::uint64_t last_race() = 0;
  virtual bool is_suppressed(const Trace& trace) = 0;
  /// Ignores the race in all executions from here on.
  virtual void ignore(std::uint64_t race) = 0;
};

class SuppressedRaces final : public ResultFilter {
 public:
  explicit SuppressedRaces(RaceSuppressions& suppressions) : suppressions_(suppressions) {}

  ExecutionResult filter(const ExecutionResult& result, const Finished& execution) override;

 private:
  bool is_suppressed(const std::vector<Choice>& schedule, const Finished& execution);

  RaceSuppressions& suppressions_;
  std::vector<std::uint64_t> reported_;  // races that were examined and count
  Verdict verdict_;                      // of an execution that ended with a race
  std::vector<Choice> schedule_;
};

}  // namespace heddle::engine
