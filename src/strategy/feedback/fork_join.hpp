// The order that creating and joining operations imposes under every schedule, for strategies that predict.
//
// The clocks are those of the model and learn of nothing else. A step that neither creates nor joins costs a
// comparison. Operations beyond the number that an epoch can hold are ordered with nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/happens_before.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class ForkJoin {
 public:
  void begin() {
    order_.begin();
    met_ = 0;
  }

  /// `who` takes its step.
  void step(const ScheduleView& view, OperationId who) {
    // A new operation is enabled before its first step, so it is seen before its creator goes on.
    const std::uint32_t highest = std::max(index(view.enabled.back()), index(who));
    for (; met_ <= highest; ++met_) order_.add(OperationId{met_}, view.parent(OperationId{met_}));
    const model::Event& event = view.next(who);
    if (event.kind != model::EventKind::join || event.resource == kNoResource) return;
    const model::Lifetime& other = view.resource(event.resource).lifetime;
    if (other.admits_join()) order_.join(who, other.of());  // otherwise the join timed out
  }

  /// The current moment of the operation.
  model::Epoch now(OperationId who) const { return order_.is_watched(who) ? order_.now(who) : 0; }
  bool is_before(model::Epoch earlier, model::Epoch later) const { return order_.is_before(earlier, later); }

 private:
  model::HappensBeforeIn<Pages::common> order_;
  std::uint32_t met_ = 0;  // the number of operations seen
};

}  // namespace heddle::strategy
