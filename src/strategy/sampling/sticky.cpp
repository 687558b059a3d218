// Sticky: a random walk that stays with the current operation most of the time.
//
// A uniform walk over two operations switches at every second step, so an operation hardly ever runs for twenty steps
// while the other stands still. This strategy stays with probability `stay`, and otherwise goes to one of the others
// uniformly. The number of choices an operation wins in a row is geometric with mean 1 / (1 - stay). Coyote's
// probabilistic random strategy is the same idea with a fair coin. An operation that has just paused, or that could
// only time out, is left at once: other operations must do what it waits for.
#include "strategy/builtin.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class Sticky final : public Randomised {
 public:
  explicit Sticky(double stay) : stay_(stay) {}

  OperationId choose_operation(const ScheduleView& view) override {
    const auto size = static_cast<std::uint32_t>(view.enabled.size());
    std::uint32_t current = 0;
    while (current < size && view.enabled[current] != view.current) ++current;
    if (current == size) return any_of(view.enabled);
    if (!view.current_yields && random_->unit() < stay_) return view.current;
    const std::uint32_t other = random_->below(size - 1);
    return view.enabled[other < current ? other : other + 1];
  }
  bool is_fair() const override { return true; }  // because stay < 1

 private:
  double stay_;
};

}  // namespace

std::unique_ptr<Strategy> make_sticky(double stay) { return std::make_unique<Sticky>(stay); }

}  // namespace heddle::strategy
