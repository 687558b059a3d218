// A scheduling point made up for a test.
#pragma once

#include <initializer_list>
#include <vector>

#include "strategy/strategy.hpp"

namespace heddle::test {

class FakeView {
 public:
  FakeView(std::initializer_list<std::uint32_t> enabled, std::uint32_t current, bool current_yields = false)
      : FakeView(std::vector<std::uint32_t>(enabled), current, current_yields) {}

  /// The first made all others. `observed`: what the program shows.
  FakeView(const std::vector<std::uint32_t>& enabled, std::uint32_t current, bool current_yields = false,
           std::uint64_t observed = 0)
      : current_(OperationId{current}), current_yields_(current_yields), observed_(observed) {
    for (std::uint32_t id : enabled) enabled_.push_back(OperationId{id});
    candidates_.resize(enabled.back() + 1, strategy::Candidate{.next = {}, .parent = OperationId{0}});
  }

  operator strategy::ScheduleView() const {
    return {enabled_, current_, current_yields_, 0, candidates_.data(), nullptr, observed_};
  }

 private:
  std::vector<OperationId> enabled_;
  OperationId current_;
  bool current_yields_;
  std::uint64_t observed_;
  std::vector<strategy::Candidate> candidates_;
};

/// 0, 1, … count-1 are enabled.
inline FakeView view_of_first(std::uint32_t count, std::uint32_t current = 0) {
  std::vector<std::uint32_t> enabled(count);
  for (std::uint32_t i = 0; i < count; ++i) enabled[i] = i;
  return FakeView(enabled, current);
}

}  // namespace heddle::test
