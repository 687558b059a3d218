// State-based iterative delay bounding. Mukherjee et al., OOPSLA 2020, section 5, "Iterative delay-bounding scheduler".
//
// The operation that took the last step goes on, except for a bounded number of random switches to another in each
// execution. The bound starts at 0 and grows by one whenever 100 executions in a row have shown no new state.
//
// The paper does not say where the switches fall. Here they are uniform over the learned length (learned_length.hpp).
// Switching away from an operation that cannot go on, or yields, is not counted.
#include <algorithm>

#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"
#include "strategy/support/recollection.hpp"
#include "strategy/support/state_hash.hpp"

namespace heddle::strategy {
namespace {

constexpr std::uint32_t kPatience = 100;  // executions

class StateDelayBounding final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override {
    if (without_news_ >= kPatience) {
      ++bound_;
      without_news_ = 0;
    }
    state_.begin();
    choices_ = 0;
    is_new_ = false;
    switches_.clear();
    const std::uint32_t length = length_.value();
    if (length > 0)
      for (std::uint32_t i = 0; i < std::min(bound_, length); ++i) switches_.push_back(1 + random.below(length));
    std::sort(switches_.begin(), switches_.end());
    next_switch_ = 0;
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    look(view);
    ++choices_;
    bool switches = false;
    for (; next_switch_ < switches_.size() && switches_[next_switch_] <= choices_; ++next_switch_) switches = true;
    const auto& enabled = view.enabled;
    const auto current = std::lower_bound(enabled.begin(), enabled.end(), view.current);
    if (current == enabled.end() || *current != view.current || view.current_yields) return any_of(enabled);
    if (!switches) return view.current;
    const auto position = static_cast<std::uint32_t>(current - enabled.begin());
    const std::uint32_t other = random_->below(static_cast<std::uint32_t>(enabled.size()) - 1);
    return enabled[other < position ? other : other + 1];
  }

  void end(const ExecutionSummary& summary) override {
    length_.learn(choices_, summary.verdict);
    without_news_ = is_new_ ? 0 : without_news_ + 1;
    seen_.forget();
  }

  StepWatcher* watcher() override { return this; }
  MachinesShow machines_show() const override { return MachinesShow::everything; }

 private:
  void on_step(const ScheduleView& view, OperationId who) override { state_.step(view, who); }

  void look(const ScheduleView& view) {
    float& visits = seen_[seen_.find(state_.value(view))];
    is_new_ = is_new_ || visits == 0;
    visits = 1;
  }

  StateHash state_{StateHash::Look::kinds};
  Recollection seen_{0};  // states
  LearnedLength length_;
  CommonVector<std::uint32_t> switches_;  // the choices to switch at, ascending
  std::size_t next_switch_ = 0;
  std::uint32_t choices_ = 0;
  std::uint32_t bound_ = 0;
  std::uint32_t without_news_ = 0;  // executions
  bool is_new_ = false;             // this execution has met a state that no earlier one did
};

}  // namespace

std::unique_ptr<Strategy> make_state_delay_bounding() { return std::make_unique<StateDelayBounding>(); }

}  // namespace heddle::strategy
