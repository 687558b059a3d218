// BonusMaxRL: a learner that seeks new states. Borgarelli, Enea, Majumdar and Nagendra, OOPSLA 2024.
//
//   Q(s,a) := (1 - alpha) Q(s,a) + alpha max(bonus(s'), gamma max Q(s',.))
//
// The bonus of s', the state that the action led to, is one over the number of its visits. The update takes a maximum
// where Q-learning takes a sum. So an action is worth as much as the best state behind it, however many well-known
// states lie between. Unknown actions are worth 1. The best action is taken, or with probability epsilon any one.
//
// Differs from the paper: alpha 0.2, gamma 0.95 and epsilon 0.05 are ours. There are no waypoints except what the
// program shows with heddle::observe, which is part of the state (state_hash.hpp). The state after the last choice has
// no bonus.
#include <algorithm>

#include "strategy/builtin.hpp"
#include "strategy/learning/learner.hpp"

namespace heddle::strategy {
namespace {

constexpr float kAlpha = 0.2f;
constexpr float kGamma = 0.95f;
constexpr double kEpsilon = 0.05;

class BonusLearning final : public Learner {
 public:
  BonusLearning() : Learner(StateHash::Look::all, true, 1) {}

 private:
  std::uint32_t pick(std::span<const std::uint32_t> actions) override {
    const auto count = static_cast<std::uint32_t>(actions.size());
    if (random().unit() < kEpsilon) return random().below(count);
    std::uint32_t best = 0;
    std::uint32_t as_good = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const float difference = worth(actions[i]) - worth(actions[best]);
      if (difference < 0) continue;
      as_good = difference > 0 ? 1 : as_good + 1;
      if (difference > 0 || random().below(as_good) == 0) best = i;
    }
    return best;
  }

  void learn(std::span<const Decision> decisions) override {
    float behind = 0;
    for (std::size_t i = decisions.size(); i-- > 0;) {
      const Decision& decision = decisions[i];
      float& q = worth(chosen(decision));
      q = (1 - kAlpha) * q + kAlpha * behind;
      float best = 0;
      for (const std::uint32_t action : actions(decision)) best = std::max(best, worth(action));
      behind = std::max(1 / visits(decision.state), kGamma * best);
    }
  }
};

}  // namespace

std::unique_ptr<Strategy> make_bonus_learning() { return std::make_unique<BonusLearning>(); }

}  // namespace heddle::strategy
