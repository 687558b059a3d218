// Executions do not end at a race that the user has suppressed.
//
// Names of functions are known only outside of the program, and only an execution that was recorded has stacks. So one
// that ends with a race that was not looked at yet is run again, recorded, and its trace is looked at. If that race is
// suppressed, it is ignored from then on, and the execution is run once more: along the choices that were made up to
// the race, and then on, by the same strategy. To the strategy, to watchers and to the explorer it was one execution
// that came to no race; so a systematic search stays complete.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/result_filter.hpp"

namespace heddle::engine {

/// Knows which races are suppressed.
class RaceSuppressions {
 public:
  virtual ~RaceSuppressions() = default;
  /// Which race ended the last execution: the same number for the same two places.
  virtual std::uint64_t last_race() = 0;
  virtual bool is_suppressed(const Trace& trace) = 0;
  /// In all executions from here on.
  virtual void ignore(std::uint64_t race) = 0;
};

class SuppressedRaces final : public ResultFilter {
 public:
  explicit SuppressedRaces(RaceSuppressions& suppressions) : suppressions_(suppressions) {}

  ExecutionResult filter(const ExecutionResult& result, const Finished& execution) override;

 private:
  bool is_suppressed(const std::vector<Choice>& schedule, const Finished& execution);

  RaceSuppressions& suppressions_;
  std::vector<std::uint64_t> reported_;  // races that were looked at, and count
  Verdict verdict_;                      // of an execution that ended with one
  std::vector<Choice> schedule_;
};

}  // namespace heddle::engine
