// The promises of Q-learning, and of the strategy that goes beyond it, against the formulas of the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
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
using strategy::Sees;

/// How a learner differs from algorithms 2 and 3 of the paper.
struct Rules {
  bool counts_visits = true;
  bool divides = false;
  bool knows_end = true;
  bool knows_new_states = true;  // it draws in them as the paper does
};

/// Algorithms 2 and 3 of the paper, and the divisor of the authors' program, in doubles and maps.
class NaiveLearner {
 public:
  using State = std::vector<std::uint32_t>;

  explicit NaiveLearner(Rules rules) : rules_(rules) {}

  /// One of these actions was chosen in this state; were the chances right?
  void chose(const State& state, const std::vector<std::size_t>& actions, std::size_t chosen, Deviation& deviation) {
    Known& known = known_[state];
    for (const std::size_t action : actions) known.worth.try_emplace(action, 0);
    if (known.visits++ > 0 || rules_.knows_new_states) {
      const std::vector<double> chances = softmax(known, actions);
      for (std::size_t i = 0; i < actions.size(); ++i) deviation.compare(chances[i], actions[i] == chosen);
    }
    choices_.push_back({&known, chosen});
  }

  void end() {
    ++ends_;
    double best_after = rules_.knows_end ? 0 : best(*choices_.back().state);
    double visits_after = rules_.knows_end ? ends_ : choices_.back().state->visits;
    for (std::size_t i = choices_.size(); i-- > 0;) {
      double& q = choices_[i].state->worth[choices_[i].chosen];
      const double reward = rules_.counts_visits ? -visits_after : -1;
      q = 0.7 * q + 0.3 * (reward + 0.7 * best_after);
      visits_after = choices_[i].state->visits;
      best_after = best(*choices_[i].state);
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
    std::size_t chosen;
  };

  std::vector<double> softmax(Known& known, const std::vector<std::size_t>& actions) const {
    double mean = 0;
    double highest = -1e9;
    for (const std::size_t action : actions) {
      mean += known.worth[action] / static_cast<double>(actions.size());
      highest = std::max(highest, known.worth[action]);
    }
    double divisor = 1;
    if (rules_.divides && mean < -40) divisor = std::pow(10, 1 + std::ceil(std::log10(mean / -40)));
    std::vector<double> chances;
    double total = 0;
    for (const std::size_t action : actions)
      total += chances.emplace_back(std::exp((known.worth[action] - highest) / divisor));
    for (double& chance : chances) chance /= total;
    return chances;
  }

  /// Over all actions that were ever possible in the state.
  static double best(const Known& known) {
    double most = -1e9;
    for (const auto& [action, worth] : known.worth) most = std::max(most, worth);
    return most;
  }

  Rules rules_;
  std::map<State, Known> known_;
  std::vector<Made> choices_;
  double ends_ = 0;
};

/// What a learner sees of `all_different`, from how far each operation is.
using Seen = NaiveLearner::State (*)(const NaiveLearner::State& at, std::uint32_t steps);

NaiveLearner::State everything(const NaiveLearner::State& at, std::uint32_t) { return at; }
/// All operations are about to write, but for those that have ended; it is not seen which.
NaiveLearner::State kinds(const NaiveLearner::State& at, std::uint32_t steps) {
  return {static_cast<std::uint32_t>(std::ranges::count(at, steps))};
}

/// Nobody sees the first step, which makes the operations.
void look_at_writers(const Result& result, std::uint32_t operations, std::uint32_t steps, Seen seen,
                     NaiveLearner& naive, Deviation& deviation) {
  NaiveLearner::State at(operations + 1);
  for (const Step& step : result.steps | std::views::drop(1)) {
    std::vector<std::size_t> enabled;
    for (std::size_t i = 1; i < at.size(); ++i)
      if (at[i] < steps) enabled.push_back(i);
    naive.chose(seen(at, steps), enabled, index(step.who), deviation);
    ++at[index(step.who)];
  }
  naive.end();
}

// Long explorations, in which values become large, and short ones, in which they have just begun to change.
void expect_choices_of(const Rules& rules, Seen seen, std::initializer_list<std::uint32_t> numbers_of_operations,
                       std::unique_ptr<strategy::Strategy> (*make)()) {
  constexpr std::uint32_t kSteps = 3;
  for (const std::uint32_t operations : numbers_of_operations)
    for (const std::uint64_t executions : {20'000, 20}) {
      Deviation deviation;
      for (std::uint64_t seed = 0; seed < 20'000 / executions; ++seed) {
        NaiveLearner naive(rules);
        const auto strategy = make();
        explore(all_different(operations, kSteps), *strategy, seed, executions, [&](const Result& result) {
          look_at_writers(result, operations, kSteps, seen, naive, deviation);
          return true;
        });
      }
      EXPECT_GT(deviation.compared(), 50'000);
      EXPECT_LT(std::abs(deviation.value()), Deviation::kSurprising) << operations << " " << executions;
    }
}

constexpr std::initializer_list<std::uint32_t> kNumbers = {2u, 3u, 9u};  // of nine, two are stored apart

TEST(QLearning, ChoosesAsThePaperDoes) {
  expect_choices_of({}, kinds, kNumbers, [] { return strategy::make_q_learning(QlVariant::normal); });
}

TEST(QLearning, CountsNoVisitsWithoutItsOptimisations) {
  expect_choices_of({.counts_visits = false}, kinds, kNumbers,
                    [] { return strategy::make_q_learning(QlVariant::basic); });
}

TEST(QLearning, DividesIfAsked) {
  expect_choices_of({.divides = true}, kinds, kNumbers,
                    [] { return strategy::make_q_learning(QlVariant::normal, true); });
}

// Operation 1 counts up, 2 down, 3 begins again, and the count is all that is seen: a few states, met often.
void expect_choices_of_counter(bool divides) {
  constexpr std::uint32_t kChoices = 12;
  for (const std::uint32_t executions : {2'000u, 20u}) {
    Deviation deviation;
    for (std::uint32_t seed = 0; seed < 2'000 / executions; ++seed) {
      Random random(seed);
      NaiveLearner naive({.divides = divides, .knows_end = false});
      const auto strategy = strategy::make_q_learning(QlVariant::custom, divides);
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

TEST(QLearning, SeesOnlyWhatIsShownInTheVariantCustom) { expect_choices_of_counter(false); }
TEST(QLearning, DividesWhatIsShownIfAsked) { expect_choices_of_counter(true); }

// --- avoid -----------------------------------------------------------------------------------------------------------

TEST(Avoidance, ChoosesAsThePaperDoesWhereItHasBeen) {
  expect_choices_of({.knows_new_states = false}, everything, {2u, 3u},
                    [] { return strategy::make_avoidance(Sees::all); });
}

// The run of whoever is first of n lasts longer than k steps if it and k further draws of its are above the highest of
// the n-1 others, of which each draws once: n (n-1) B(n-1, k+2).
TEST(Avoidance, OperationsThatWaitKeepTheirPriorityWhereItHasNotBeen) {
  constexpr std::uint32_t kLongest = 6;
  constexpr std::uint32_t kExplorations = 4'000;
  for (const std::uint32_t n : {2u, 4u}) {
    const Program program = all_different(n, 20);
    std::vector<std::uint64_t> counts(kLongest);
    for (std::uint32_t seed = 1; seed <= kExplorations; ++seed) {
      const Result result = run_once(program, *strategy::make_avoidance(Sees::all), seed);
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
