// Deadlocks that were predicted are confirmed at once; what cannot happen is given up.
#include "strategy/predict.hpp"

#include <gtest/gtest.h>

#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"

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

/// `operations` philosophers with long meals on either side, so that by chance they hardly ever meet.
Program philosophers(std::uint32_t operations, std::uint32_t padding, bool one_is_left_handed = false) {
  Program program{.operations = {{create(1, operations)}}};
  for (std::uint32_t i = 0; i < operations; ++i) {
    std::uint32_t left = i;
    std::uint32_t right = (i + 1) % operations;
    if (one_is_left_handed && i == 0) std::swap(left, right);
    std::vector<Action> actions(padding, step());
    for (const Action& action : {lock(left), lock(right), unlock(right), unlock(left)}) actions.push_back(action);
    actions.insert(actions.end(), padding, step());
    program.operations.push_back(std::move(actions));
  }
  return program;
}

TEST(Prediction, IsConfirmedByTheSecondExecution) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const std::uint32_t ring : {2u, 3u, 5u, 8u}) {
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

}  // namespace
}  // namespace heddle::test
