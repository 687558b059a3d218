// The promises of BonusMaxRL, greedy and state-based delay bounding, every choice against naive models.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
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

/// Of `all_different`: how far each operation is.
using State = std::vector<std::uint32_t>;

struct Decision {
  State state;
  std::vector<std::uint32_t> enabled;
  std::uint32_t chosen;
};

constexpr std::uint32_t kSteps = 3;

/// Nobody sees the first step, which makes the operations.
std::vector<Decision> decisions_of(const Result& result, std::uint32_t operations) {
  std::vector<Decision> decisions;
  State at(operations + 1);
  for (std::size_t i = 1; i < result.steps.size(); ++i) {
    Decision& decision = decisions.emplace_back(Decision{at, {}, index(result.steps[i].who)});
    for (std::uint32_t id = 1; id <= operations; ++id)
      if (at[id] < kSteps) decision.enabled.push_back(id);
    ++at[decision.chosen];
  }
  return decisions;
}

/// What greedy and statedelay see of it: all are about to write, but for those that have ended.
std::uint32_t ended(const State& state) { return static_cast<std::uint32_t>(std::ranges::count(state, kSteps)); }

// --- bonus -----------------------------------------------------------------------------------------------------------

/// The rule of the paper in doubles and maps.
class NaiveBonus {
 public:
  void look_at(const std::vector<Decision>& decisions, Deviation& deviation) {
    for (const Decision& decision : decisions) {
      Known& known = known_[decision.state];
      ++known.visits;
      compare(decision, known, deviation);
    }
    double behind = 0;
    for (std::size_t i = decisions.size(); i-- > 0;) {
      const Decision& decision = decisions[i];
      Known& known = known_[decision.state];
      double& q = worth(known, decision.chosen);
      q = (1 - kAlpha) * q + kAlpha * behind;
      behind = std::max(1 / known.visits, kGamma * best(decision, known));
    }
  }

 private:
  static constexpr double kAlpha = 0.2;
  static constexpr double kGamma = 0.95;
  static constexpr double kEpsilon = 0.05;
  static constexpr double kDifferent = 1e-3;  // far more than doubles and floats differ by

  struct Known {
    std::map<std::uint32_t, double> worth;
    double visits = 0;
  };

  static double& worth(Known& known, std::uint32_t action) { return known.worth.try_emplace(action, 1).first->second; }
  static double best(const Decision& decision, Known& known) {
    double most = 0;
    for (const std::uint32_t id : decision.enabled) most = std::max(most, worth(known, id));
    return most;
  }

  static void compare(const Decision& decision, Known& known, Deviation& deviation) {
    const double most = best(decision, known);
    double equals = 0;
    for (const std::uint32_t id : decision.enabled) {
      const double less = most - worth(known, id);
      if (less != 0 && less < kDifferent) return;  // too close to say who is better
      equals += less == 0;
    }
    const auto count = static_cast<double>(decision.enabled.size());
    for (const std::uint32_t id : decision.enabled) {
      const double by_worth = worth(known, id) == most ? 1 / equals : 0;
      deviation.compare(kEpsilon / count + (1 - kEpsilon) * by_worth, id == decision.chosen);
    }
  }

  std::map<State, Known> known_;
};

TEST(BonusLearning, TakesTheBestActionOfANaiveModelButForItsShareOfOthers) {
  for (const std::uint32_t operations : {2u, 3u})
    for (const std::uint64_t executions : {1'000, 50}) {
      Deviation deviation;
      for (std::uint64_t seed = 0; seed < 20'000 / executions; ++seed) {
        NaiveBonus naive;
        explore(all_different(operations, kSteps), *strategy::make_bonus_learning(), seed, executions,
                [&](const Result& result) {
                  naive.look_at(decisions_of(result, operations), deviation);
                  return true;
                });
      }
      EXPECT_GT(deviation.compared(), 20'000) << operations << " " << executions;
      EXPECT_LT(std::abs(deviation.value()), Deviation::kSurprising) << operations << " " << executions;
    }
}

/// Three operations, of which one leads a level up and the others back to the bottom; the level is shown. How many
/// executions until the top is seen?
std::uint32_t executions_to_top(strategy::Strategy& strategy, std::uint64_t seed, std::uint32_t levels,
                                std::uint32_t executions_most) {
  Random random(seed);
  for (std::uint32_t execution = 1; execution <= executions_most; ++execution) {
    EXPECT_TRUE(strategy.begin(random));
    std::uint32_t level = 0;
    for (std::uint32_t i = 0; i < levels; ++i) {
      const std::uint32_t right = 1 + static_cast<std::uint32_t>(mix(combine(3, level)) % 3);
      const FakeView view({1, 2, 3}, 1, false, mix(level + 1));
      level = index(strategy.choose_operation(view)) == right ? level + 1 : 0;
    }
    const Verdict verdict;
    strategy.end({verdict, levels, {}});
    if (level == levels) return execution;
  }
  return executions_most + 1;
}

// A random walk is at the top once in 3^12 executions, half a million.
TEST(BonusLearning, GoesUpALongStaircase) {
  constexpr std::uint32_t kLevels = 12;
  constexpr std::uint32_t kExecutions = 2'000;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_LE(executions_to_top(*strategy::make_bonus_learning(), seed, kLevels, kExecutions), kExecutions) << seed;
    EXPECT_GT(executions_to_top(*strategy::make_random(), seed, kLevels, kExecutions), kExecutions) << seed;
  }
}

// --- greedy ----------------------------------------------------------------------------------------------------------

TEST(Greedy, GoesToAStateWithTheFewestVisits) {
  for (const std::uint32_t operations : {2u, 3u}) {
    const std::uint32_t end = operations;
    std::map<std::uint32_t, std::uint64_t> visits;                           // by how many have ended
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> leads;  // an action in a state: to where
    Deviation deviation;
    explore(all_different(operations, kSteps), *strategy::make_greedy(), 4, 5'000, [&](const Result& result) {
      const std::vector<Decision> decisions = decisions_of(result, operations);
      for (const Decision& decision : decisions) {
        const std::uint32_t state = ended(decision.state);
        ++visits[state];
        std::map<std::uint32_t, std::uint64_t> behind;
        std::uint64_t fewest = ~0ull;
        for (const std::uint32_t id : decision.enabled) {
          const auto known = leads.find({state, id});
          behind[id] = known != leads.end() ? visits[known->second] : 0;
          fewest = std::min(fewest, behind[id]);
        }
        EXPECT_EQ(behind[decision.chosen], fewest);
        const auto as_few = std::count_if(behind.begin(), behind.end(), [&](auto& b) { return b.second == fewest; });
        for (const auto& [id, times] : behind)
          if (times == fewest) deviation.compare(1.0 / static_cast<double>(as_few), id == decision.chosen);
      }
      for (std::size_t i = 0; i < decisions.size(); ++i)
        leads[{ended(decisions[i].state), decisions[i].chosen}] =
            i + 1 < decisions.size() ? ended(decisions[i + 1].state) : end;
      ++visits[end];
      return !testing::Test::HasFailure();
    });
    EXPECT_EQ(visits.size(), operations + 1);
    if (operations > 2) {  // of two that are equal either is as likely, and Deviation sees nothing in that
      EXPECT_LT(std::abs(deviation.value()), Deviation::kSurprising);
    }
  }
}

// --- statedelay ------------------------------------------------------------------------------------------------------

// A program of one state, and ten choices between three operations that never end: 100 executions without anything new
// are followed by one more switch.
TEST(StateDelayBounding, AllowsOneSwitchMoreAfterAHundredExecutionsWithoutANewState) {
  constexpr std::uint32_t kChoices = 10;
  constexpr std::uint32_t kPatience = 100;
  std::vector<std::uint64_t> at(kChoices);  // of the one switch
  std::vector<std::uint64_t> to(2);         // the other two
  std::uint64_t two = 0, with_two = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto strategy = strategy::make_state_delay_bounding();
    Random random(seed);
    for (std::uint32_t execution = 0; execution < 1 + 3 * kPatience; ++execution) {
      const std::uint32_t bound = execution == 0 ? 0 : (execution - 1) / kPatience;  // the first has shown the state
      ASSERT_TRUE(strategy->begin(random));
      std::uint32_t current = 0, switches = 0;
      for (std::uint32_t i = 0; i < kChoices; ++i) {
        const std::uint32_t next = index(strategy->choose_operation(view_of_first(3, current)));
        if (next != current) {
          ++switches;
          if (bound == 1) {
            ++at[i];
            ++to[(next - current + 3) % 3 - 1];
          }
        }
        current = next;
      }
      const Verdict verdict;
      strategy->end({verdict, kChoices, {}});
      ASSERT_LE(switches, bound);
      ASSERT_TRUE(bound != 1 || switches == 1);
      if (bound == 2) ++with_two, two += switches == 2;
    }
  }
  EXPECT_GT(chance_if_uniform(at), kSurprise);
  EXPECT_GT(chance_if_uniform(to), kSurprise);
  const double apart = 1 - 1.0 / kChoices;  // two draws are different
  EXPECT_GT(chance_of({two, with_two - two}, {apart, 1 - apart}), kSurprise);
}

TEST(StateDelayBounding, StaysWithItsBoundWhileThereAreNewStates) {
  constexpr std::uint32_t kOperations = 3;
  constexpr std::uint32_t kPatience = 100;
  std::set<std::uint32_t> seen;  // how many had ended
  std::uint32_t bound = 0, without_news = 0, most = 0;
  explore(all_different(kOperations, kSteps), *strategy::make_state_delay_bounding(), 5, 3'000,
          [&](const Result& result) {
            if (without_news == kPatience) ++bound, without_news = 0;
            bool is_new = false;
            std::uint32_t switches = 0, current = 0;
            for (const Decision& decision : decisions_of(result, kOperations)) {
              const bool could_stay = std::ranges::find(decision.enabled, current) != decision.enabled.end();
              switches += could_stay && decision.chosen != current;
              current = decision.chosen;
              if (decision.enabled.size() > 1) is_new |= seen.insert(ended(decision.state)).second;
            }
            without_news = is_new ? 0 : without_news + 1;
            most = std::max(most, switches);
            EXPECT_LE(switches, bound);
            return !testing::Test::HasFailure();
          });
  EXPECT_GE(bound, 3u);
  EXPECT_GE(most, 3u);
  EXPECT_EQ(seen.size(), kOperations - 1);  // with one left there is no choice
}

}  // namespace
}  // namespace heddle::test
