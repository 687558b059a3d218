// The promises of Q-learning, against the formulas of the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

/// `operations` that write `steps` times, always to another variable: no two points of the program look alike.
Program writers(std::uint32_t operations, std::uint32_t steps) {
  Program program;
  program.operations.push_back({create(1, operations)});
  for (std::uint32_t i = 0; i < operations; ++i) {
    program.operations.emplace_back();
    for (std::uint32_t j = 0; j < steps; ++j) program.operations.back().push_back(write(i * steps + j, 1));
  }
  return program;
}

/// How far choices are from what was expected of them.
class Deviation {
 public:
  void compare(double chance, bool was_chosen) {
    if (chance == 0 || chance == 1) return;
    const double weight = chance - 0.5;
    sum_ += weight * (was_chosen - chance);
    variance_ += weight * weight * chance * (1 - chance);
    ++compared_;
  }

  /// In standard deviations, of the sum over all choices, each counted by how far its chance was from even: so a
  /// distribution too flat or too steep shows.
  double value() const { return sum_ / std::sqrt(variance_); }
  double compared() const { return compared_; }

 private:
  double sum_ = 0;
  double variance_ = 0;
  double compared_ = 0;
};

/// Algorithms 2 and 3 of the paper in doubles and maps, for `writers`, where a state is how far each operation is.
class NaiveLearner {
 public:
  NaiveLearner(std::uint32_t operations, std::uint32_t steps, bool counts_visits)
      : operations_(operations), steps_(steps), counts_visits_(counts_visits) {}

  /// Compares the choices in states that were met before, and learns from the execution.
  void look_at(const Result& result, Deviation& deviation) {
    State at(operations_ + 1);
    std::vector<State> states;
    for (const Step& step : result.steps) {
      Known& known = known_[at];
      ++known.visits;
      const std::vector<double> chances = softmax(at);
      if (known.visits > 1)
        for (std::size_t i = 0; i < chances.size(); ++i) deviation.compare(chances[i], index(step.who) == i);
      states.push_back(at);
      ++at[index(step.who)];
    }
    learn(result, states);
  }

 private:
  using State = std::vector<std::uint32_t>;
  struct Known {
    std::map<std::size_t, double> worth;  // of those that could go
    double visits = 0;
  };

  bool is_enabled(const State& at, std::size_t who) const {
    return who == 0 ? at[0] == 0 : at[0] == 1 && at[who] < steps_;
  }

  std::vector<double> softmax(const State& at) {
    Known& known = known_[at];
    double mean = 0;
    double count = 0;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (is_enabled(at, i)) mean += known.worth[i], ++count;
    mean /= count;
    const double scale = mean < -10 ? -10 / mean : 1;
    std::vector<double> chances(at.size());
    double total = 0;
    for (std::size_t i = 0; i < at.size(); ++i)
      if (is_enabled(at, i)) total += chances[i] = std::exp(known.worth[i] * scale);
    for (double& chance : chances) chance /= total;
    return chances;
  }

  void learn(const Result& result, const std::vector<State>& states) {
    double best_after = 0;
    double visits_after = 1;
    for (std::size_t i = states.size(); i-- > 0;) {
      Known& known = known_[states[i]];
      double& q = known.worth[index(result.steps[i].who)];
      q = 0.7 * q + 0.3 * ((counts_visits_ ? -visits_after : -1) + 0.7 * best_after);
      visits_after = known.visits;
      best_after = -1e9;
      for (std::size_t who = 0; who < states[i].size(); ++who)
        if (is_enabled(states[i], who)) best_after = std::max(best_after, known.worth[who]);
    }
  }

  std::size_t operations_;
  std::uint32_t steps_;
  bool counts_visits_;
  std::map<State, Known> known_;
};

// Long explorations, in which values become large, and short ones, in which they have just begun to change.
TEST(QLearning, ChoosesAsThePaperDoesWhereItHasBeen) {
  constexpr double kSurprising = 4.9;  // standard deviations: once in a million
  constexpr std::uint32_t kSteps = 3;
  for (const bool optimised : {true, false})
    for (const std::uint32_t operations : {2u, 3u})
      for (const std::uint64_t executions : {20'000, 20}) {
        Deviation deviation;
        for (std::uint64_t seed = 0; seed < 20'000 / executions; ++seed) {
          NaiveLearner naive(operations, kSteps, optimised);
          const auto strategy =
              strategy::make_q_learning(optimised ? strategy::QlVariant::normal : strategy::QlVariant::basic);
          explore(writers(operations, kSteps), *strategy, seed, executions, [&](const Result& result) {
            naive.look_at(result, deviation);
            return true;
          });
        }
        EXPECT_GT(deviation.compared(), 50'000);
        EXPECT_LT(std::abs(deviation.value()), kSurprising) << operations << " " << executions << " " << optimised;
      }
}

// The run of whoever is first of n lasts longer than k steps if it and k further draws of its are above the highest of
// the n-1 others, of which each draws once: n (n-1) B(n-1, k+2).
TEST(QLearning, OperationsThatWaitKeepTheirPriorityWhereItHasNotBeen) {
  constexpr std::uint32_t kLongest = 6;
  constexpr std::uint32_t kExplorations = 4'000;
  for (const std::uint32_t n : {2u, 4u}) {
    const Program program = writers(n, 20);
    std::vector<std::uint64_t> counts(kLongest);
    for (std::uint32_t seed = 1; seed <= kExplorations; ++seed) {
      const Result result = run_once(program, *strategy::make_q_learning(strategy::QlVariant::normal), seed);
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
