// The promises of POS, URW, SURW and site priorities; that of taPCT is with PCT's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

// --- URW and SURW ----------------------------------------------------------------------------------------------------

constexpr std::uint32_t kShared = 0;  // the variable at which orders are looked at

/// Operations that create others and never wait, and now and then write the shared variable.
Program tree(Random& random) {
  Program program;
  const std::uint32_t operations = 2 + random.below(3);
  for (std::uint32_t i = 0; i < operations; ++i) {
    auto& actions = program.operations.emplace_back();
    for (std::uint32_t left = 1 + random.below(3); left > 0; --left)
      actions.push_back(random.below(2) == 0 ? write(kShared, 1) : write(1 + i, 1));
  }
  for (std::uint32_t child = 1; child < operations; ++child) {
    auto& actions = program.operations[random.below(child)];
    actions.insert(actions.begin() + random.below(static_cast<std::uint32_t>(actions.size()) + 1), create(child));
  }
  return program;
}

bool is_any(const Action&) { return true; }
bool is_shared(const Action& action) { return action.what == Do::write && action.object == kShared; }

/// In how many orders can the actions that count happen? What comes after an action is a tree, and the linear
/// extensions of a forest are n! over the product of the sizes of all subtrees (Knuth).
class Orders {
 public:
  Orders(const Program& program, bool (*counts)(const Action&)) : program_(program), counts_(counts) {
    const std::uint32_t all = size(0, 0);
    number_ = std::tgamma(all + 1.0) / product_;
  }
  std::size_t number() const { return static_cast<std::size_t>(std::lround(number_)); }

 private:
  /// Of the action and all that can only come after it.
  std::uint32_t size(std::uint32_t operation, std::size_t at) {
    const auto& actions = program_.operations[operation];
    if (at == actions.size()) return 0;
    std::uint32_t after = size(operation, at + 1);
    if (actions[at].what == Do::create) after += size(actions[at].object, 0);
    if (!counts_(actions[at])) return after;
    product_ *= after + 1;
    return after + 1;
  }

  const Program& program_;
  bool (*counts_)(const Action&);
  double product_ = 1;
  double number_ = 0;
};

/// Runs the strategy on generated programs, and compares how often each order of the actions that count was seen.
/// Returns how many orders there were in all.
std::size_t expect_uniform(std::unique_ptr<strategy::Strategy> (*make)(), bool (*counts)(const Action&)) {
  constexpr std::size_t kOrdersMost = 150;
  constexpr std::uint64_t kExecutions = 100;  // for each order
  constexpr std::uint64_t kLearning = 8;      // first executions, that do not know yet what there is to do
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(combine(21, seed));
    const Program program = tree(random);
    const std::size_t orders = Orders(program, counts).number();
    if (orders < 2 || orders > kOrdersMost) continue;
    std::map<std::vector<std::uint32_t>, std::uint64_t> seen;
    std::uint64_t executions = 0;
    explore(program, *make(), seed, kLearning + kExecutions * orders, [&](const Result& result) {
      if (++executions <= kLearning) return true;
      std::vector<std::uint32_t> order;
      std::vector<std::size_t> at(program.operations.size());
      // Operations are numbered in the order of creation: which of the program is it?
      std::vector<std::uint32_t> body = {0};
      for (const Step& step : result.steps) {
        const std::uint32_t which = body[index(step.who)];
        const Action& action = program.operations[which][at[which]++];
        if (action.what == Do::create) body.push_back(action.object);
        if (counts(action)) order.push_back(which);
      }
      ++seen[order];
      return true;
    });
    EXPECT_EQ(seen.size(), orders) << to_string(program);
    std::vector<std::uint64_t> times;
    for (const auto& [order, count] : seen) times.push_back(count);
    EXPECT_GT(chance_if_uniform(times), kSurprise) << to_string(program);
    compared += orders;
  }
  return compared;
}

TEST(UniformWalk, EveryInterleavingIsEquallyLikelyWhereNobodyWaits) {
  EXPECT_GT(expect_uniform(strategy::make_uniform_walk, is_any), 1'000u);
}

TEST(SelectiveWalk, EveryOrderAtTheSharedResourceIsEquallyLikelyWhereNobodyWaits) {
  EXPECT_GT(expect_uniform(strategy::make_selective_walk, is_shared), 300u);
}

// --- POS -------------------------------------------------------------------------------------------------------------

/// With what probability POS takes each schedule, worked out exactly. Of priorities that are drawn independently from
/// one distribution only the order counts, and a new one is equally likely to come before, between or after any of
/// those that were ever drawn, whatever is known of their order. So a state is that order.
class ExactPos {
 public:
  using Schedule = std::vector<std::uint32_t>;

  /// Main creates all others at once.
  explicit ExactPos(const Program& program) : program_(program) {
    State first;
    first.at.resize(program.operations.size());
    first.at[0] = program.operations[0].size();
    std::map<State, double> states = {{first, 1.0}};
    for (std::uint32_t i = 1; i < program.operations.size(); ++i) states = drawn(states, i);
    while (!states.empty()) {
      std::map<State, double> next;
      for (const auto& [state, probability] : states) step(state, probability, next);
      states = std::move(next);
    }
  }

  const std::map<Schedule, double>& schedules() const { return schedules_; }

 private:
  static constexpr std::uint32_t kOld = ~0u;  // a draw that no longer counts

  struct State {
    Schedule schedule;
    std::vector<std::size_t> at;       // how far each operation is
    std::vector<std::uint32_t> order;  // of all draws, whose they are: the lowest first
    auto operator<=>(const State&) const = default;
  };

  static std::map<State, double> drawn(const std::map<State, double>& states, std::uint32_t who) {
    std::map<State, double> after;
    for (const auto& [state, probability] : states) {
      State base = state;
      std::replace(base.order.begin(), base.order.end(), who, kOld);
      for (std::size_t i = 0; i <= base.order.size(); ++i) {
        State one = base;
        one.order.insert(one.order.begin() + static_cast<std::ptrdiff_t>(i), who);
        after[one] += probability / static_cast<double>(base.order.size() + 1);
      }
    }
    return after;
  }

  const Action* pending(const State& state, std::uint32_t who) const {
    const auto& actions = program_.operations[who];
    return state.at[who] < actions.size() ? &actions[state.at[who]] : nullptr;
  }

  void step(const State& state, double probability, std::map<State, double>& next) {
    const auto highest = std::find_if(state.order.rbegin(), state.order.rend(), [](auto who) { return who != kOld; });
    if (highest == state.order.rend()) {
      schedules_[state.schedule] += probability;
      return;
    }
    const std::uint32_t who = *highest;
    const Action event = *pending(state, who);
    State base = state;
    base.schedule.push_back(who);
    ++base.at[who];
    std::replace(base.order.begin(), base.order.end(), who, kOld);
    std::map<State, double> states = {{base, probability}};
    for (std::uint32_t other = 1; other < program_.operations.size(); ++other) {
      const Action* const its = pending(base, other);
      const bool races = other != who && its != nullptr && its->object == event.object &&
                         (its->what == Do::write || event.what == Do::write);
      if (its != nullptr && (other == who || races)) states = drawn(states, other);
    }
    for (const auto& [after, chance] : states) next[after] += chance;
  }

  const Program& program_;
  std::map<Schedule, double> schedules_;
};

TEST(PartialOrderSampling, TakesEveryScheduleWithItsProbability) {
  constexpr double kTimesLeast = 10;  // that a schedule is expected
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(combine(22, seed));
    const std::uint32_t operations = 2 + random.below(2);
    Program program{.operations = {{create(1, operations)}}};
    for (std::uint32_t i = 0; i < operations; ++i) {
      auto& actions = program.operations.emplace_back();
      for (std::uint32_t left = operations == 2 ? 3 : 1 + random.below(2); left > 0; --left)
        actions.push_back(random.below(2) == 0 ? read(random.below(2)) : write(random.below(2), 1));
    }
    const ExactPos exact(program);
    double least = 1;
    for (const auto& [schedule, probability] : exact.schedules()) least = std::min(least, probability);
    std::map<ExactPos::Schedule, std::uint64_t> seen;
    explore(program, *strategy::make_partial_order_sampling(), seed, static_cast<std::uint64_t>(kTimesLeast / least),
            [&](const Result& result) {
              ExactPos::Schedule schedule;
              for (const Step& step : result.steps)
                if (index(step.who) != 0) schedule.push_back(index(step.who));
              ++seen[schedule];
              return true;
            });
    std::vector<std::uint64_t> counts;
    std::vector<double> probabilities;
    for (const auto& [schedule, probability] : exact.schedules()) {
      counts.push_back(seen[schedule]);
      probabilities.push_back(probability);
    }
    EXPECT_EQ(seen.size(), counts.size()) << to_string(program);
    EXPECT_GT(chance_of(counts, probabilities), kSurprise) << to_string(program);
    compared += counts.size();
  }
  EXPECT_GT(compared, 300u);
}

// --- how soon --------------------------------------------------------------------------------------------------------

using Maker = std::unique_ptr<strategy::Strategy> (*)();

/// The mean, over trials with seeds of their own, of the executions up to the first that fails.
double mean_executions_to_bug(const Program& program, Maker make, int trials, std::uint64_t limit = 10'000) {
  double sum = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto strategy = make();
    std::uint64_t executions = 0;
    explore(program, *strategy, combine(5, static_cast<std::uint64_t>(trial)), limit, [&](const Result& result) {
      ++executions;
      return !result.verdict.is_failure();
    });
    sum += static_cast<double>(executions);
  }
  return sum / trials;
}

// Over 400 trials the means are 6.0 to 6.5 and 10.3 to 11.0, with a deviation of about 5 and 11 for one trial: of 200
// trials 15 is 5 standard deviations above, of 30 it is 2.
TEST(Sites, MeetThePatternsOfManyThreadsWhateverTheirNumber) {
  for (const std::uint32_t n : {3u, 10u, 100u, 1000u}) {
    const auto sites = [] { return strategy::make_site_priorities(0); };
    const int trials = n == 1000 ? 30 : 200;
    const double reordered = mean_executions_to_bug(reorder(n), sites, trials);
    const double staged = mean_executions_to_bug(two_stage(n), sites, trials);
    RecordProperty("reorder_" + std::to_string(n), std::to_string(reordered));
    std::printf("sites: reorder_%u %.1f  twostage_%u %.1f\n", n, reordered, n, staged);
    EXPECT_LT(reordered, 15) << n;
    EXPECT_LT(staged, 15) << n;
  }
}

// Published: reorder_3, 4, 5, 10, 20, 50 and 100 in 7, 7, 10, 17, 6, 13 and 194 schedules, twostage, _20, _50 and _100
// in 8, 6, 20 and 454 (the artefact of the SURW paper, means of 20 trials), with as many of each kind of thread as
// here.
TEST(SelectiveWalk, IsAsGoodAsPublished) {
  struct Row {
    const char* name;
    Program program;
    double published;
  };
  const Row rows[] = {
      {"reorder_3", reorder(2, 1), 7},         {"reorder_4", reorder(3, 1), 7},
      {"reorder_5", reorder(4, 1), 10},        {"reorder_10", reorder(9, 1), 17},
      {"reorder_20", reorder(10, 10), 6},      {"reorder_50", reorder(40, 10), 13},
      {"reorder_100", reorder(99, 1), 194},    {"twostage", two_stage(1, 1), 8},
      {"twostage_20", two_stage(10, 10), 6},   {"twostage_50", two_stage(40, 10), 20},
      {"twostage_100", two_stage(99, 1), 454},
  };
  for (const Row& row : rows) {
    const double mean = mean_executions_to_bug(
        row.program, [] { return strategy::make_selective_walk(); }, row.published > 100 ? 30 : 200);
    std::printf("surw: %s %.1f (%.0f)\n", row.name, mean, row.published);
    EXPECT_LE(mean, 1.5 * row.published) << row.name;
  }
}

}  // namespace
}  // namespace heddle::test
