// Greedy: prefers the least visited state. Mukherjee et al., OOPSLA 2020, section 5, "Greedy scheduler".
//
// Of the states that the possible actions lead to, it picks the one with the fewest visits so far, and breaks ties at
// random. It is the baseline against which the paper measures what learning adds to looking at states.
//
// Differs from the paper: where an action leads is known from the last time it was taken in this state. An action that
// was never taken counts as leading to a state without visits.
#include "strategy/builtin.hpp"
#include "strategy/learning/learner.hpp"

namespace heddle::strategy {
namespace {

class Greedy final : public Learner {
 public:
  Greedy() : Learner(StateHash::Look::kinds, true, kNowhere) {}

 private:
  static constexpr std::uint64_t kEnd = kGolden;  // stands for the state after the last choice, whatever it is
  static constexpr float kNowhere = -1;           // it is unknown where the action leads

  std::uint32_t pick(std::span<const std::uint32_t> actions) override {
    std::uint32_t best = 0;
    float fewest = 0;
    std::uint32_t as_few = 0;
    for (std::uint32_t i = 0; i < actions.size(); ++i) {
      const float visits = visits_behind(actions[i]);
      if (as_few > 0 && visits > fewest) continue;
      as_few = as_few > 0 && visits == fewest ? as_few + 1 : 1;
      if (visits != fewest || random().below(as_few) == 0) best = i;
      fewest = visits;
    }
    return best;
  }

  // Where an action leads is stored as the state's number, which a float holds exactly up to 2^24.
  float visits_behind(std::uint32_t action) {
    const float to = worth(action);
    return to == kNowhere ? 0 : visits(static_cast<std::uint32_t>(to));
  }

  void learn(std::span<const Decision> decisions) override {
    const std::uint32_t end = known_.find(kEnd);
    ++visits(end);
    for (std::size_t i = 0; i < decisions.size(); ++i)
      worth(chosen(decisions[i])) = static_cast<float>(i + 1 < decisions.size() ? decisions[i + 1].state : end);
  }
  void forgot() override { known_.forget_worths(); }
};

}  // namespace

std::unique_ptr<Strategy> make_greedy() { return std::make_unique<Greedy>(); }

}  // namespace heddle::strategy
