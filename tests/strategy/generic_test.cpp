// What must hold of every strategy in the table.
#include <gtest/gtest.h>

#include "strategy/support/replay.hpp"
#include "strategy/table.hpp"
#include "support/generate.hpp"
#include "support/heap_counter.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

/// Looks over the shoulder of a strategy.
class Watched final : public strategy::Strategy {
 public:
  explicit Watched(strategy::Strategy& inner) : inner_(inner) {}

  bool begin(Random& random) override { return inner_.begin(random); }

  OperationId choose_operation(const strategy::ScheduleView& view) override {
    const std::uint64_t before = heap_allocations();
    const OperationId chosen = inner_.choose_operation(view);
    allocations += heap_allocations() - before;
    EXPECT_TRUE(view.is_enabled(chosen)) << index(chosen);
    EXPECT_GE(view.enabled.size(), 2u);
    return chosen;
  }

  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    const std::uint64_t before = heap_allocations();
    const std::uint32_t chosen = inner_.choose_value(view, bound);
    allocations += heap_allocations() - before;
    EXPECT_LT(chosen, bound);
    return chosen;
  }

  void end(const strategy::ExecutionSummary& summary) override { inner_.end(summary); }
  bool is_fair() const override { return inner_.is_fair(); }

  std::uint64_t allocations = 0;

 private:
  strategy::Strategy& inner_;
};

class EveryStrategy : public testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<strategy::Strategy> make() { return strategy::parse(GetParam()).strategy; }
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const strategy::Entry& entry : strategy::strategies()) all.emplace_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStrategy, testing::ValuesIn(names()),
                         [](const auto& which) { return which.param; });

constexpr int kPrograms = 1'000;
constexpr std::uint64_t kExecutions = 3;

TEST_P(EveryStrategy, ChoosesOnlyWhatIsEnabledAndNeverTheHeap) {
  for (std::uint64_t i = 0; i < kPrograms; ++i) {
    Random random(combine(21, i));
    const Program program = generate(random, {6, 8, 2});
    SCOPED_TRACE(to_string(program));
    const auto inner = make();
    Watched strategy(*inner);
    explore(program, strategy, i, kExecutions, [](const Result&) { return true; });
    EXPECT_EQ(strategy.allocations, 0u);
    if (HasFailure()) return;
  }
}

TEST_P(EveryStrategy, DoesTheSameWithTheSameSeed) {
  for (std::uint64_t i = 0; i < kPrograms; ++i) {
    Random random(combine(22, i));
    const Program program = generate(random, {5, 6, 2});
    std::vector<Result> first;
    explore(program, *make(), i, kExecutions, [&](const Result& result) {
      first.push_back(result);
      return true;
    });
    std::size_t at = 0;
    explore(program, *make(), i, kExecutions, [&](const Result& result) { return result == first[at++]; });
    EXPECT_EQ(at, first.size()) << to_string(program);
    if (HasFailure()) return;
  }
}

TEST_P(EveryStrategy, MakesSchedulesThatReplay) {
  for (std::uint64_t i = 0; i < kPrograms; ++i) {
    Random random(combine(23, i));
    const Program program = generate(random, {5, 6, 2});
    SCOPED_TRACE(to_string(program));
    explore(program, *make(), i, kExecutions, [&](const Result& result) {
      strategy::Replay replay(result.schedule);
      EXPECT_EQ(run_once(program, replay, 99), result);
      EXPECT_EQ(replay.diverged_at(), std::nullopt);
      EXPECT_EQ(replay.followed(), result.schedule.size());
      return !HasFailure();
    });
    if (HasFailure()) return;
  }
}

// --- programs that spin --------------------------------------------------------------------------------------------

struct Spinning {
  const char* how;
  Program program;
};

/// Each waits for memory[0] to be 1 in a loop, in its own way.
std::vector<Spinning> spinning() {
  const std::vector<Action> writer = {step(), step(), write(0, 1)};
  std::vector<Spinning> all;
  all.push_back({"yields", {.operations = {{create(1, 2), step()}, {yield(), loop_until(0, 1, 0)}, writer}}});
  all.push_back({"reads, then yields",
                 {.operations = {{create(1, 3), step()},
                                 {step(), yield(), loop_until(0, 1, 0)},
                                 {yield(), step(), loop_until(0, 1, 0)},
                                 writer}}});
  all.push_back({"sleeps", {.operations = {{create(1, 2), step()}, {sleep(10), loop_until(0, 1, 0)}, writer}}});
  all.push_back(
      {"waits with a timeout",
       {.operations = {
            {create(1, 2), join(1)}, {lock(0), timed_wait(0, 0, 10), unlock(0), loop_until(0, 1, 0)}, writer}}});
  all.push_back({"locks with a timeout",
                 {.operations = {{create(1, 2)},
                                 {timed_lock(0, 10), unlock(0), yield(), loop_until(0, 1, 0)},
                                 {lock(0), step(), write(0, 1), unlock(0)}}}});
  all.push_back({"acquires with a timeout",
                 {.operations = {{create(1, 2)}, {{Do::timed_acquire, 0, 5}, loop_until(0, 1, 0)}, writer}}});
  return all;
}

TEST_P(EveryStrategy, EndsOnProgramsThatSpin) {
  for (const Spinning& spin : spinning()) {
    const auto strategy = make();
    explore(spin.program, *strategy, 1, 300,
            [&](const Result& result) {
              EXPECT_EQ(result.verdict.kind, VerdictKind::passed) << spin.how;
              return !HasFailure();
            },
            {.steps_max = 5'000});
  }
}

TEST_P(EveryStrategy, EndsOnASpinWithoutYieldIfItIsFair) {
  const Program spin{.operations = {{create(1, 2)}, {step(), loop_until(0, 1, 0)}, {step(), step(), write(0, 1)}}};
  const auto strategy = make();
  int livelocks = 0;
  explore(spin, *strategy, 1, 300,
          [&](const Result& result) {
            livelocks += result.verdict.kind == VerdictKind::livelock;
            return true;
          },
          {.steps_max = 5'000});
  EXPECT_EQ(livelocks, 0);  // a strategy that is not fair is cut instead
}

}  // namespace
}  // namespace heddle::test
