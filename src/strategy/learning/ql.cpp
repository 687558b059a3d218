// QL: Q-learning. Mukherjee, Deligiannis, Biswas and Lal, "Learning-based controlled concurrency testing", OOPSLA 2020.
//
// Every action in every state has a Q-value, initially 0, and is chosen with a probability proportional to its
// exponential (algorithm 2). After each execution, from its last choice to its first,
//
//   Q(s,a) := (1 - alpha) Q(s,a) + alpha (R + gamma max Q(s',.))    with alpha 0.3, gamma 0.7
//
// where s' is the state that the action led to (algorithm 3). The reward R is -1, times the number of visits of s' so
// far (OPT-1), or -1000 if the action made something fail (OPT-2). So states seen often are avoided, and a failure is
// tried about once in each state. Values are actions like operations.
//
// Variants: basic has neither OPT-1 nor OPT-2. custom looks only at what the program shows with heddle::observe. inbox
// looks only at the contents of the inboxes of state machines. ndn draws values uniformly.
//
// Differs from the paper: the state is that of state_hash.hpp. The maximum is over the actions that were possible when
// s' was last met. States not met for long are forgotten (state_table.hpp). The state after the last choice is not
// looked at: it counts as a state that is met at the end of every execution. Where only what is shown is a state, it
// counts as the state before it.
//
// In a state never met before, all operations are worth 0, and the paper draws uniformly. Here operations have
// priorities, like the events of POS (pos.cpp): each draws one after each of its steps, and the highest goes. The
// chances of a single choice are the same, but an operation that has waited keeps waiting. Most states of a protocol
// are met once, and there a uniform walk keeps all machines at the same point. The bug of Paxos is found in 57 of 100
// explorations that way, and in 93 with priorities (bench/protocols_bench.cpp; the paper has 66).
//
// The values of a state that is met often differ by hundreds, which makes the best action certain. The authors' program
// (github.com/suvamM/psharp-ql, "scaled average") therefore scales down the values of a state whose mean is below -40:
// it divides them by ten, and by another ten each time it divides the mean by ten until that is no longer below. The
// paper does not mention this, but its figures show it: only then does the calculator of its section 3
// (bench/search_bench.cpp) go through nearly all values, and through fewer than at random if it shows a useless count.
// So heddle does this where the program defines its states, in the variant custom. Elsewhere it costs bugs: the one of
// Chord is found in 33 of 100 explorations with it (the paper has 34), and in 96 without.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numbers>

#include "strategy/builtin.hpp"
#include "strategy/learning/learner.hpp"
#include "strategy/support/event_priorities.hpp"

namespace heddle::strategy {
namespace {

constexpr float kAlpha = 0.3f;
constexpr float kGamma = 0.7f;
constexpr float kFailure = -1000;
constexpr float kMeanLowest = -40;
constexpr float kNegligible = -30;  // e to this power is negligible beside 1 in a float

/// For x from kNegligible to 0, accurate to six digits. Computed as a power of two, whose integer part goes into the
/// exponent.
float exponential(float x) {
  const float power = x * std::numbers::log2e_v<float>;
  const auto whole = static_cast<std::int32_t>(power);   // rounded towards 0
  const float part = power - static_cast<float>(whole);  // -1 … 0
  float value = 9.4687703e-04f;                          // first coefficient of the polynomial closest to 2^part
  for (const float coefficient : {9.2091804e-03f, 5.5298120e-02f, 2.4017896e-01f, 6.9314313e-01f, 9.9999994e-01f})
    value = value * part + coefficient;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(value) + (whole << 23));
}

/// The divisor for the values of a state with this mean, in the variant custom.
float divisor(float mean) {
  float by = mean < kMeanLowest ? 10 : 1;
  for (; mean < kMeanLowest; mean /= 10) by *= 10;
  return by;
}

class QLearning final : public Learner {
 public:
  explicit QLearning(QlVariant variant)
      : Learner(sees_operations(variant) ? StateHash::Look::all : StateHash::Look::own,
                variant != QlVariant::without_values, 0),
        variant_(variant),
        optimised_(variant != QlVariant::basic) {}

  bool begin(Random& random) override {
    priorities_.begin();
    return Learner::begin(random);
  }

  MachinesShow machines_show() const override {
    return variant_ == QlVariant::inboxes ? MachinesShow::inboxes : MachinesShow::everything;
  }

 private:
  static bool sees_operations(QlVariant variant) {
    return variant != QlVariant::custom && variant != QlVariant::inboxes;
  }

  void on_step(const ScheduleView& view, OperationId who) override {
    Learner::on_step(view, who);
    priorities_.draw_again(who);
  }

  std::uint32_t pick_unknown(const ScheduleView& view, std::span<const std::uint32_t>) override {
    const OperationId first = priorities_.choose(view, [this](OperationId) { return random().next(); });
    return static_cast<std::uint32_t>(std::ranges::find(view.enabled, first) - view.enabled.begin());
  }

  std::uint32_t pick(std::span<const std::uint32_t> actions) override {
    const auto count = static_cast<std::uint32_t>(actions.size());
    weights_.reserve(count);
    float* const weights = weights_.data();
    float highest = worth(actions[0]);
    float sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      weights[i] = worth(actions[i]);
      highest = std::max(highest, weights[i]);
      sum += weights[i];
    }
    const float scale = variant_ == QlVariant::custom ? 1 / divisor(sum / static_cast<float>(count)) : 1;
    for (std::uint32_t i = 0; i < count; ++i)
      weights[i] = exponential(std::max((weights[i] - highest) * scale, kNegligible));
    float total = 0;
    for (std::uint32_t i = 0; i < count; ++i) weights[i] = total += weights[i];
    const float at = static_cast<float>(random().unit()) * total;
    std::uint32_t picked = 0;
    for (std::uint32_t i = 0; i + 1 < count; ++i) picked += weights[i] <= at;
    return picked;
  }

  void learn(std::span<const Decision> decisions) override {
    if (decisions.empty()) return;
    ++ends_;
    const bool is_own_state = sees_operations(variant_);
    float highest_after = is_own_state ? 0 : highest(decisions.back());
    float visits_after = is_own_state ? ends_ : visits(decisions.back().state);
    for (std::size_t i = decisions.size(); i-- > 0;) {
      const Decision& decision = decisions[i];
      float reward = -1;
      if (optimised_) reward = decision.is_failure ? kFailure : -visits_after;
      float& q = worth(chosen(decision));
      q = (1 - kAlpha) * q + kAlpha * (reward + kGamma * highest_after);
      if (optimised_) visits_after = visits(decision.state);
      highest_after = highest(decision);
    }
  }

  float highest(const Decision& decision) {
    float most = worth(actions(decision)[0]);
    for (const std::uint32_t action : actions(decision)) most = std::max(most, worth(action));
    return most;
  }

  QlVariant variant_;
  bool optimised_;
  float ends_ = 0;  // the number of executions that ended
  EventPriorities priorities_;
  CommonVector<float> weights_;  // scratch space of `pick`
};

}  // namespace

std::unique_ptr<Strategy> make_q_learning(QlVariant variant) { return std::make_unique<QLearning>(variant); }

}  // namespace heddle::strategy
