// Deadlocks and races that were predicted are confirmed at once; what cannot happen is given up.
#include "strategy/predicting/predict.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "model/dependence.hpp"
#include "strategy/builtin.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

/// The how-manyeth execution is the first deadlock; 0: none of so many.
std::uint64_t first_deadlock(const Program& program, strategy::Strategy& strategy, std::uint64_t seed,
                             std::uint64_t executions = 200) {
  std::uint64_t count = 0;
  std::uint64_t found = 0;
  explore(program, strategy, seed, executions, [&](const Result& result) {
    ++count;
    if (result.verdict.kind == VerdictKind::deadlock) found = count;
    return found == 0;
  });
  return found;
}

using Take = Action (*)(std::uint32_t);

/// Of an operation that takes two locks.
std::vector<Action> taking(Take take_first, std::uint32_t first, Take take_second, std::uint32_t second,
                           std::uint32_t padding) {
  const bool are_mutexes = take_first == lock;
  std::vector<Action> actions(padding, step());
  for (const Action& action :
       {take_first(first), take_second(second), are_mutexes ? unlock(second) : read_write_unlock(second),
        are_mutexes ? unlock(first) : read_write_unlock(first)})
    actions.push_back(action);
  actions.insert(actions.end(), padding, step());
  return actions;
}

/// `operations` philosophers with long meals on either side, so that by chance they hardly ever meet.
Program philosophers(std::uint32_t operations, std::uint32_t padding, bool one_is_left_handed = false,
                     Take take_first = lock, Take take_second = lock) {
  Program program{.operations = {{create(1, operations)}}};
  for (std::uint32_t i = 0; i < operations; ++i) {
    std::uint32_t left = i;
    std::uint32_t right = (i + 1) % operations;
    if (one_is_left_handed && i == 0) std::swap(left, right);
    program.operations.push_back(taking(take_first, left, take_second, right, padding));
  }
  return program;
}

TEST(Prediction, IsConfirmedByTheSecondExecution) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const std::uint32_t ring : {2u, 3u, 5u, 8u, 9u, 100u}) {
      const std::uint64_t alone = first_deadlock(philosophers(ring, 20), *strategy::make_prediction(), seed);
      EXPECT_TRUE(alone == 1 || alone == 2) << ring << " " << alone;
      if (HasFailure()) return;
    }
}

TEST(Prediction, OfThePortfolioIsConfirmedByTheThirdExecution) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const std::uint32_t ring : {2u, 3u, 5u, 8u}) {
      const std::uint64_t found = first_deadlock(philosophers(ring, 20), *strategy::make_portfolio(), seed);
      EXPECT_TRUE(found >= 1 && found <= 3) << ring << " " << found;
      if (HasFailure()) return;
    }
}

TEST(Prediction, OfReadWriteLocksIsConfirmedByTheSecondExecution) {
  const std::pair<Take, Take> ways[] = {{write_lock, write_lock}, {read_lock, write_lock}, {write_lock, read_lock}};
  for (const std::uint32_t ring : {2u, 3u, 5u})
    for (const auto& [first, second] : ways) {
      const Program program = philosophers(ring, 20, false, first, second);
      const std::uint64_t found = first_deadlock(program, *strategy::make_prediction(), 1);
      EXPECT_TRUE(found == 1 || found == 2) << ring << " " << found;
    }
}

TEST(Prediction, DoesNotDependOnHowManyLocksAreTakenAndHeld) {
  // Operations that take pairs of locks of their own; the last two of them close a ring, one while it holds more locks.
  for (const std::uint32_t operations : {3u, 10u, 100u, 1000u}) {
    constexpr std::uint32_t kPairs = 5;
    constexpr std::uint32_t kOuter = 50;
    Program program{.operations = {{create(1, operations)}}};
    std::uint32_t next = 2 + kOuter;
    for (std::uint32_t i = 0; i < operations; ++i) {
      std::vector<Action> actions;
      for (std::uint32_t pair = 0; pair < kPairs; ++pair, next += 2)
        for (const Action& action : taking(lock, next, lock, next + 1, 0)) actions.push_back(action);
      const bool is_outer = i + 1 == operations;
      for (std::uint32_t outer = 0; is_outer && outer < kOuter; ++outer) actions.push_back(lock(2 + outer));
      if (i + 2 >= operations)
        for (const Action& action : taking(lock, is_outer, lock, !is_outer, 0)) actions.push_back(action);
      program.operations.push_back(actions);
    }
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::uint64_t found = first_deadlock(program, *strategy::make_prediction(), seed);
      EXPECT_TRUE(found == 1 || found == 2) << operations << " " << found;
    }
  }
}

TEST(Prediction, KnowsThatReadersDoNotWaitForEachOther) {
  const Program program = philosophers(3, 20, false, read_lock, read_lock);
  const auto prediction = strategy::make_prediction();
  explore(program, *prediction, 1, 20, [&](const Result& result) {
    EXPECT_EQ(result.verdict.kind, VerdictKind::passed);
    EXPECT_FALSE(prediction->has_target());
    return !HasFailure();
  });
}

// Both hold a third lock, but only to read: it keeps nobody apart.
TEST(Prediction, IsNotRuledOutByALockThatBothOnlyRead) {
  const auto around = [](const std::vector<Action>& inner) {
    std::vector<Action> actions = {read_lock(2)};
    actions.insert(actions.end(), inner.begin(), inner.end());
    actions.push_back(read_write_unlock(2));
    return actions;
  };
  const Program program{.operations = {{create(1, 2)},
                                       around(taking(write_lock, 0, write_lock, 1, 10)),
                                       around(taking(write_lock, 1, write_lock, 0, 10))}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::uint64_t found = first_deadlock(program, *strategy::make_prediction(), seed);
    EXPECT_TRUE(found == 1 || found == 2) << found;
  }
}

TEST(Prediction, GivesUpWhatCannotHappen) {
  // A third lock around both, and one who takes them only after the other is done.
  const Program guarded{.operations = {{create(1, 2)},
                                       {lock(2), lock(0), lock(1), unlock(1), unlock(0), unlock(2)},
                                       {lock(2), lock(1), lock(0), unlock(0), unlock(1), unlock(2)}}};
  const Program in_turn{.operations = {{create(1), join(1), create(2), join(2)},
                                       {lock(0), lock(1), unlock(1), unlock(0)},
                                       {lock(1), lock(0), unlock(0), unlock(1)}}};
  for (const Program& program : {guarded, in_turn, philosophers(3, 2, true)}) {
    const auto prediction = strategy::make_prediction();
    EXPECT_EQ(first_deadlock(program, *prediction, 1), 0u);
    EXPECT_FALSE(prediction->has_target());
  }
}

// --- races ----------------------------------------------------------------------------------------------------------

/// Looks on at a strategy.
class Steps final : public strategy::StepWatcher {
 public:
  void on_step(const strategy::ScheduleView& view, OperationId who) override { all.push_back({who, view.next(who)}); }

  /// Do two operations access one resource one right after the other, not both only to read it?
  bool have_adjacent() const {
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].first != all[i + 1].first && all[i].second.resource != kNoResource &&
          model::dependent(all[i].second, all[i + 1].second))
        return true;
    return false;
  }

  std::vector<std::pair<OperationId, model::Event>> all;
};

TEST(Prediction, PutsARaceThatALockHidesSideBySideInTheSecondExecution) {
  constexpr std::size_t kOtherThings = 20;
  std::vector<Action> late(kOtherThings, step());
  for (const Action& action : {lock(0), unlock(0), write(0, 2)}) late.push_back(action);
  std::vector<Action> early = {write(0, 1), lock(0), unlock(0)};
  early.insert(early.end(), kOtherThings, step());
  Interpreter interpreter({.operations = {{create(1, 2)}, early, late}});
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto prediction = strategy::make_prediction();
    Steps steps;
    bool is_adjacent = false;
    for (std::uint64_t execution = 0; execution < 2; ++execution) {
      Random random(combine(mix(seed), execution));
      ASSERT_TRUE(prediction->begin(random));
      steps.all.clear();
      interpreter.run({*prediction, &steps});
      is_adjacent = steps.have_adjacent();
    }
    EXPECT_TRUE(is_adjacent) << seed;
    EXPECT_EQ(prediction->races().confirmed(), 1u) << seed;
    EXPECT_FALSE(prediction->has_target()) << seed;
  }
}

/// Nothing in it depends on time or on values that are drawn.
bool is_plain(const Program& program) {
  for (const auto& actions : program.operations)
    for (const Action& action : actions) {
      const Do what = action.what;
      if (what == Do::choose || what == Do::sleep || what == Do::yield || what == Do::signal ||
          what == Do::timed_wait || what == Do::timed_lock || what == Do::timed_acquire ||
          what == Do::timed_read_lock || what == Do::timed_write_lock)
        return false;
    }
  return true;
}

TEST(Prediction, EveryRaceThatIsPredictedHappensInTheExecutionThatGoesForIt) {
  std::uint32_t confirmed = 0;
  int programs = 0;
  for (std::uint64_t i = 0; programs < 5'000; ++i) {
    Random random(combine(51, i));
    const Program program = generate(random, {5, 8, 2});
    if (!is_plain(program)) continue;
    ++programs;
    SCOPED_TRACE(to_string(program));
    const auto prediction = strategy::make_prediction();
    Steps steps;
    Interpreter interpreter(program);
    for (std::uint64_t execution = 0; execution < 30; ++execution) {
      const std::uint32_t before = prediction->races().confirmed();
      Random numbers(combine(mix(i), execution));
      ASSERT_TRUE(prediction->begin(numbers));
      steps.all.clear();
      interpreter.run({*prediction, &steps});
      EXPECT_TRUE(prediction->races().confirmed() == before || steps.have_adjacent());
    }
    EXPECT_EQ(prediction->races().lost(), 0u);
    confirmed += prediction->races().confirmed();
    if (HasFailure()) return;
  }
  EXPECT_GT(confirmed, 10'000u);
}

/// A random walk that a prediction looks on at.
class LookedOn final : public strategy::Strategy {
 public:
  explicit LookedOn(strategy::Prediction& prediction) : prediction_(prediction) {}
  bool begin(Random& random) override { return walk_->begin(random) && prediction_.begin(random); }
  OperationId choose_operation(const strategy::ScheduleView& view) override { return walk_->choose_operation(view); }
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    return walk_->choose_value(view, bound);
  }
  void end(const strategy::ExecutionSummary& summary) override { prediction_.end(summary); }
  strategy::StepWatcher* watcher() override { return prediction_.watcher(); }

 private:
  strategy::Prediction& prediction_;
  std::unique_ptr<strategy::Strategy> walk_ = strategy::make_random();
};

TEST(Prediction, LearnsFromExecutionsThatItDoesNotSteer) {
  constexpr std::uint64_t kLookedOn = 20;  // more than it would try
  const Program race{
      .operations = {{create(1, 2)}, {write(0, 1), lock(0), unlock(0)}, {lock(0), unlock(0), write(0, 2)}}};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto deadlocks = strategy::make_prediction();
    LookedOn eaters(*deadlocks);
    explore(philosophers(3, 20), eaters, mix(seed), kLookedOn, [](const Result&) { return true; });
    EXPECT_TRUE(deadlocks->has_target());
    EXPECT_EQ(first_deadlock(philosophers(3, 20), *deadlocks, seed, 1), 1u);

    const auto races = strategy::make_prediction();
    LookedOn writers(*races);
    explore(race, writers, mix(seed), kLookedOn, [](const Result&) { return true; });
    EXPECT_TRUE(races->has_target());
    explore(race, *races, seed, 1, [](const Result&) { return true; });
    EXPECT_EQ(races->races().confirmed(), 1u);
  }
}

/// The how-manyeth execution breaks a check; 0: none of so many.
std::uint64_t first_broken(const Program& program, strategy::Strategy& strategy, std::uint64_t seed,
                           std::uint64_t executions) {
  std::uint64_t count = 0;
  std::uint64_t found = 0;
  explore(program, strategy, seed, executions, [&](const Result& result) {
    ++count;
    if (result.verdict.kind == VerdictKind::assertion) found = count;
    return found == 0;
  });
  return found;
}

// x has one place that writes and one that reads, and so has y: write and write, write and read, read and write are six
// targets, however many operations there are. A read of y that overtakes a write of y is one of them. So the first log
// and six more executions are enough, unless no checker came after a setter in that log; then another log follows. All
// that may take twice as long in the mean.
TEST(Prediction, OfAReorderingDoesNotDependOnHowManyOperationsDoTheSame) {
  struct Row {
    std::uint32_t setters, checkers;
  };
  for (const Row row : {Row{2, 1}, Row{10, 10}, Row{11, 10}, Row{99, 1}, Row{900, 100}}) {
    std::uint64_t sum = 0;
    constexpr std::uint64_t kTrials = 10;
    for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
      const std::uint64_t found =
          first_broken(reorder(row.setters, row.checkers), *strategy::make_prediction(), seed, 100);
      EXPECT_NE(found, 0u);
      sum += found;
    }
    std::printf("predict: reorder %u x %u %.1f\n", row.setters, row.checkers, static_cast<double>(sum) / kTrials);
    EXPECT_LE(sum, 14 * kTrials) << row.setters << " x " << row.checkers;
  }
}

}  // namespace
}  // namespace heddle::test
