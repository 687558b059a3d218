// Which races are suppressed: the command knows, since only it can name functions.
#pragma once

#include "engine/suppressed_races.hpp"
#include "preload/channel.hpp"

namespace heddle::preload {

class SuppressionQuestions final : public engine::RaceSuppressions {
 public:
  explicit SuppressionQuestions(Channel& channel) : channel_(channel) {}

  std::uint64_t last_race() override;
  /// Waits for the command's answer. One question a pair of places: it may take some hundredths of a second.
  bool is_suppressed(const Trace& trace) override;
  void ignore(std::uint64_t race) override;

 private:
  Channel& channel_;
};

}  // namespace heddle::preload
