// Writes one line for every execution that counts: its number, its steps, the hash of its schedule and its verdict. Two
// explorations that did the same have the same list.
#pragma once

#include <cstdint>

#include "engine/result_filter.hpp"

namespace heddle::preload {

class ScheduleList final : public engine::ResultFilter {
 public:
  explicit ScheduleList(int descriptor) : descriptor_(descriptor) {}

  engine::ExecutionResult filter(const engine::ExecutionResult& result, const engine::Finished& execution) override;

 private:
  const int descriptor_;
  std::uint64_t number_ = 0;
};

}  // namespace heddle::preload
