// The promises of Q-learning, against the formulas of the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "strategy/builtin.hpp"
#include "support/fake_view.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

using strategy::QlVariant;

/// Algorithms 2 and 3 of the paper, and the divisor of the variant custom, in doubles and maps.
class NaiveLearner {
 public:
  using State = std::vector<std::uint32_t>;

  explicit NaiveLearner(QlVariant variant) : variant_(variant) {}

  /// One of these actions was chosen in this state; if it was met before, were the chances right?
  void chose(const State& state, const std::vector<std::size_t>& actions, std::size_t chosen, Deviation& deviation) {
    Known& known = known_[state];
    if (known.visits++ > 0) {
      const std::vector<double> chances = softmax(known, actions);
      for (std::size_t i = 0; i < actions.size(); ++i) deviation.compare(chances[i], actions[i] == chosen);
    }
    choices_.push_back({&known, actions, chosen});
  }

  void end() {
    ++ends_;
    const bool sees_end = variant_ != QlVariant::custom;
    double best_after = sees_end ? 0 : best(choices_.back());
    double visits_after = sees_end ? ends_ : choices_.back().state->visits;
    for (std::size_t i = choices_.size(); i-- > 0;) {
      double& q = choices_[i].state->worth[choices_[i].chosen];
      const double reward = variant_ == QlVariant::basic ? -1 : -visits_after;
      q = 0.7 * q + 0.3 * (reward + 0.7 * best_after);
      visits_after = choices_[i].state->visits;
      best_after = best(choices_[i]);
    }
    choices_.clear();
  }

 private:
  struct Known {
    std::map<std::size_t, double> worth;
    double visits = 0;
  };
  struct Made {
    Known* state;
    std::vector<std::size_t> actions;
    std::size_t chosen;
  };

  std::vector<double> softmax(Known& known, const std::vector<std::size_t>& actions) const {
    double mean = 0;
    for (const std::size_t action : actions) mean += known.worth[action] / static_cast<double>(actions.size());
    double divisor = 1;
    if (variant_ == QlVariant::custom && mean < -40) divisor = std::pow(10, 1 + std::ceil(std::log10(mean / -40)));
    const double highest = best({&known, actions, 0});
    std::vector<double> chances;
    double total = 0;
    for (const std::size_t action : actions)
      total += chances.emplace_back(std::exp((known.worth[action] - highest) / divisor));
    for (double& chance : chances) chance /= total;
    return chances;
  }

  static double best(const Made& choice) {
    double most = -1e9;
    for (const std::size_t action : choice.actions) most = std::max(most, choice.state->worth[action]);
    return most;
  }

  QlVariant variant_;
  std::map<State, Known> known_;
  std::vector<Made> choices_;
  double ends_ = 0;
};

/// The state is how far each operation is. Nobody sees the first step, which makes them.
void look_at_writers(const Result& result, std::uint32_t operations, std::uint32_t steps, NaiveLearner& naive,
                     Deviation& deviation) {
  NaiveLearner::State at(operations + 1);
  for (const Step& step : result.steps | std::views::drop(1)) {
    std::vector<std::size_t> enabled;
    for (std::size_t i = 1; i < at.size(); ++i)
      if (at[i] < steps) enabled.push_back(i);
    naive.chose(at, enabled, index(step.who), deviation);
    ++at[index(step.who)];
  }
  naive.end();
}

// Long explorations, in which values become large, and short ones, in which they have just begun to change.
TEST(QLearning, ChoosesAsThePaperDoesWhereItHasBeen) {
  constexpr std::uint32_t kSteps = 3;
  for (const QlVariant variant : {QlVariant::normal, QlVariant::basic})
    for (const std::uint32_t operations : {2u, 3u})
      for (const std::uint64_t executions : {20'000, 20}) {
        Deviation deviation;
        for (std::uint64_t seed = 0; seed < 20'000 / executions; ++seed) {
          NaiveLearner naive(variant);
          const auto strategy = strategy::make_q_learning(variant);
          explore(all_different(operations, kSteps), *strategy, seed, executions, [&](const Result& result) {
            look_at_writers(result, operations, kSteps, naive, deviation);
            return true;
          });
        }
        EXPECT_GT(deviation.compared(), 50'000);
        EXPECT_LT(std::abs(deviation.value()), Deviation::kSurprising)
            << operations << " " << executions << " " << static_cast<int>(variant);
      }
}

// Operation 1 counts up, 2 down, 3 begins again, and the count is all that is seen: a few states, met often.
TEST(QLearning, DividesLargeValuesWhereTheProgramSaysWhatItsStatesAre) {
  constexpr std::uint32_t kChoices = 12;
  for (const std::uint32_t executions : {2'000u, 20u}) {
    Deviation deviation;
    for (std::uint32_t seed = 0; seed < 2'000 / executions; ++seed) {
      Random random(seed);
      NaiveLearner naive(QlVariant::custom);
      const auto strategy = strategy::make_q_learning(QlVariant::custom);
      for (std::uint32_t i = 0; i < executions; ++i) {
        ASSERT_TRUE(strategy->begin(random));
        std::uint32_t count = kChoices;
        for (std::uint32_t choice = 0; choice < kChoices; ++choice) {
          const FakeView view({1, 2, 3}, 1, false, mix(count));
          const std::uint32_t chosen = index(strategy->choose_operation(view));
          naive.chose({count}, {1, 2, 3}, chosen, deviation);
          count = chosen == 1 ? count + 1 : chosen == 2 ? count - 1 : kChoices;
        }
        const Verdict verdict;
        strategy->end({verdict, kChoices, {}});
        naive.end();
      }
    }
    EXPECT_GT(deviation.compared(), 20'000);
    EXPECT_LT(std::abs(deviation.value()), Deviation::kSurprising) << executions;
  }
}

// The run of whoever is first of n lasts longer than k steps if it and k further draws of its are above the highest of
// the n-1 others, of which each draws once: n (n-1) B(n-1, k+2).
TEST(QLearning, OperationsThatWaitKeepTheirPriorityWhereItHasNotBeen) {
  constexpr std::uint32_t kLongest = 6;
  constexpr std::uint32_t kExplorations = 4'000;
  for (const std::uint32_t n : {2u, 4u}) {
    const Program program = all_different(n, 20);
    std::vector<std::uint64_t> counts(kLongest);
    for (std::uint32_t seed = 1; seed <= kExplorations; ++seed) {
      const Result result = run_once(program, *strategy::make_q_learning(QlVariant::normal), seed);
      std::uint32_t length = 1;
      while (result.steps[1 + length].who == result.steps[1].who) ++length;
      ++counts[std::min(length, kLongest) - 1];
    }
    const auto longer_than = [&](double k) {
      return n * (n - 1.0) * std::exp(std::lgamma(n - 1.0) + std::lgamma(k + 2) - std::lgamma(n + k + 1));
    };
    std::vector<double> expected(kLongest);
    for (std::uint32_t i = 0; i + 1 < kLongest; ++i) expected[i] = longer_than(i) - longer_than(i + 1);
    expected.back() = longer_than(kLongest - 1);
    EXPECT_GT(chance_of(counts, expected), kSurprise) << n;
  }
}

}  // namespace
}  // namespace heddle::test
