// Random delays: a deterministic scheduler that skips an operation at a few random points.
//
// The scheduler is the non-preemptive round-robin one of delay bounding (Emmi, Qadeer and Rakamaric, POPL 2011). It
// stays with the current operation while that is enabled, then takes the next in the order of creation. Each of d
// delays falls on a point that is uniform in 1 … k, and moves the choice there to the next enabled operation.
//
// Differs from the paper in that it samples: Emmi et al. enumerate all placements, which is the strategy idb. k counts
// the points with two or more enabled operations and is learned (learned_length.hpp), so the first execution has no
// delay. Delays on the same point add up, but never wrap past the last enabled operation. Values are uniform.
#include <algorithm>

#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/support/alternatives.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class Delay final : public Randomised {
 public:
  explicit Delay(std::uint32_t delays) : delays_(delays) {}

  bool begin(Random& random) override {
    choices_ = 0;
    next_ = 0;
    points_.clear();
    const std::uint32_t length = length_.value();
    for (std::uint32_t i = 0; i < delays_ && length > 0; ++i) points_.push_back(1 + random.below(length));
    std::sort(points_.begin(), points_.end());
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    const Alternatives alternatives(view);
    std::uint32_t skipped = 0;
    ++choices_;
    for (; next_ < points_.size() && points_[next_] == choices_; ++next_) ++skipped;
    return alternatives.at(std::min(skipped, alternatives.size() - 1));
  }

  void end(const ExecutionSummary& summary) override { length_.learn(choices_, summary.verdict); }

 private:
  std::uint32_t delays_;
  LearnedLength length_;
  CommonVector<std::uint32_t> points_;  // the choices at which an operation is skipped, ascending
  std::size_t next_ = 0;                // index in points_
  std::uint32_t choices_ = 0;           // so far in this execution
};

}  // namespace

std::unique_ptr<Strategy> make_delay(std::uint32_t delays) { return std::make_unique<Delay>(delays); }

}  // namespace heddle::strategy
