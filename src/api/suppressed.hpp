// The suppressions of an exploration in this process.
#pragma once

#include <string>

#include "engine/suppressed_races.hpp"
#include "report/suppressions.hpp"

namespace heddle {

class Suppressed final : public engine::RaceSuppressions {
 public:
  /// Reads the named file or, if the name is empty, the file that TSAN_OPTIONS names. Throws WrongUse.
  explicit Suppressed(const std::string& named);

  bool any() const { return !suppressions_.empty(); }
  const report::Suppressions& suppressions() const { return suppressions_; }

  std::uint64_t last_race() override;
  bool is_suppressed(const Trace& trace) override;
  void ignore(std::uint64_t race) override;

 private:
  report::Suppressions suppressions_;
};

}  // namespace heddle
