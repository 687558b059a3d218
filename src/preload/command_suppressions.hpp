// Which races are suppressed. The command decides, since only the command can resolve function names.
#pragma once

#include "engine/suppressed_races.hpp"
#include "preload/channel.hpp"

namespace heddle::preload {

class CommandSuppressions final : public engine::RaceSuppressions {
 public:
  explicit CommandSuppressions(Channel& channel) : channel_(channel) {}

  std::uint64_t last_race() override;
  /// Waits for the command's answer, which may take some hundredths of a second. Asks once per pair of places.
  bool is_suppressed(const Trace& trace) override;
  void ignore(std::uint64_t race) override;

 private:
  Channel& channel_;
};

}  // namespace heddle::preload
