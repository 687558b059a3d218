// The suppressions of an exploration in this process.
#pragma once

#include "engine/suppressed_races.hpp"
#include "heddle/heddle.hpp"
#include "report/suppressions.hpp"

namespace heddle {

class Suppressed final : public engine::RaceSuppressions {
 public:
  /// Reads the file that the options name, or TSAN_OPTIONS. Throws WrongUse.
  explicit Suppressed(const Options& options);

  bool any() const { return !suppressions_.empty(); }
  const report::Suppressions& suppressions() const { return suppressions_; }

  std::uint64_t last_race() override;
  bool is_suppressed(const Trace& trace) override;
  void ignore(std::uint64_t race) override;

 private:
  report::Suppressions suppressions_;
};

}  // namespace heddle
