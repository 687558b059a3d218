// Executions that do not end at a race that the user has suppressed.
//
// Names of functions are known only outside of the program, and only an execution that was recorded has stacks. So one
// that ends with a race that nobody has judged yet is run again, recorded, and its trace is judged. If that race is
// suppressed, it is ignored from then on, and the execution is run once more: along the choices that were made up to
// the race, and then on, by the same strategy. To the strategy, and to whoever explores, it was one execution that came
// to no race; so a systematic search stays complete.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/isolation.hpp"

namespace heddle::engine {

/// Who knows which races are suppressed.
class Pardons {
 public:
  virtual ~Pardons() = default;
  /// Which race ended the last execution: the same number for the same two places.
  virtual std::uint64_t last_race() = 0;
  virtual bool is_suppressed(const Trace& trace) = 0;
  /// In all executions from here on.
  virtual void ignore(std::uint64_t race) = 0;
};

class Pardoned final : public Isolation {
 public:
  Pardoned(Isolation& inner, Pardons& pardons) : inner_(inner), pardons_(pardons) {}

  void open() override { inner_.open(); }
  void close() override { inner_.close(); }
  bool starts_fresh() const override { return inner_.starts_fresh(); }
  void set_points(Points points) override { inner_.set_points(points); }
  ExecutionResult run(strategy::Strategy& strategy, bool record) override;
  OperationId running() const override { return inner_.running(); }
  ExecutionResult so_far(const Verdict& verdict) override { return inner_.so_far(verdict); }

 private:
  bool pardons(const std::vector<Choice>& schedule, bool is_fair);

  Isolation& inner_;
  Pardons& pardons_;
  std::vector<std::uint64_t> unpardoned_;  // races that were judged, and count
  Verdict verdict_;                        // of an execution that ended with one
  std::vector<Choice> schedule_;
};

}  // namespace heddle::engine
