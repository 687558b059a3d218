// Round-robin: at every scheduling point, picks the next enabled operation after the current one, in the order of
// creation.
//
// There is one schedule, always the same: the one with the most switches that a fair scheduler would make. It is tried
// once. Values are 0.
#include <algorithm>
#include <utility>

#include "strategy/builtin.hpp"

namespace heddle::strategy {
namespace {

class RoundRobin final : public Strategy {
 public:
  bool begin(Random&) override { return !std::exchange(begun_, true); }

  OperationId choose_operation(const ScheduleView& view) override {
    if (view.current == kNoOperation) return view.enabled.front();
    const auto next = std::upper_bound(view.enabled.begin(), view.enabled.end(), view.current);
    return next == view.enabled.end() ? view.enabled.front() : *next;
  }
  std::uint32_t choose_value(const ScheduleView&, std::uint32_t) override { return 0; }

  bool is_fair() const override { return true; }
  std::string explored() const override { return "the round-robin schedule"; }

 private:
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_round_robin() { return std::make_unique<RoundRobin>(); }

}  // namespace heddle::strategy
