// The common part of the randomised strategies: the random numbers of the execution, and uniform values.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class Randomised : public Strategy {
 public:
  bool begin(Random& random) override {
    random_ = &random;
    return true;
  }
  std::uint32_t choose_value(const ScheduleView&, std::uint32_t bound) final { return random_->below(bound); }

 protected:
  OperationId any_of(EnabledView enabled) {
    return enabled[random_->below(static_cast<std::uint32_t>(enabled.size()))];
  }

  Random* random_ = nullptr;  // of this execution
};

}  // namespace heddle::strategy
