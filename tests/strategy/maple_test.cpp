// Maple against a naive reading of its idioms: what every schedule of a small program can show is covered, and what
// none can is given up.
#include "strategy/feedback/maple.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "strategy/builtin.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using model::EventKind;

/// Looks on at a strategy.
class Steps final : public strategy::StepWatcher {
 public:
  struct Step {
    OperationId who;
    model::Event event;
  };
  void on_step(const strategy::ScheduleView& view, OperationId who) override { all.push_back({who, view.next(who)}); }
  std::vector<Step> all;
};

using Site = std::pair<const void*, EventKind>;
using Order = std::pair<Site, Site>;
using Orders = std::set<Order>;

bool is_access(const model::Event& event) {
  return event.resource != kNoResource && !model::touches_nothing(event.kind) && event.kind != EventKind::unlock &&
         event.kind != EventKind::read_unlock && event.kind != EventKind::write_unlock;
}

Site site(const model::Event& event) { return {event.place, event.kind}; }

/// Idiom 1, by its definition: two conflicting accesses of two operations, and no change of the resource between.
Orders orders(const std::vector<Steps::Step>& steps) {
  Orders found;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_access(steps[i].event)) continue;
    for (std::size_t j = i + 1; j < steps.size(); ++j) {
      if (!is_access(steps[j].event) || steps[j].event.resource != steps[i].event.resource) continue;
      const bool both_read = model::only_reads(steps[i].event.kind) && model::only_reads(steps[j].event.kind);
      if (steps[i].who != steps[j].who && !both_read) found.insert({site(steps[i].event), site(steps[j].event)});
      if (!model::only_reads(steps[j].event.kind)) break;
    }
  }
  return found;
}

struct Seen {
  Orders orders;
  std::uint64_t executions = 0;
};

/// What `executions` executions show. The interpreter lives on, because the places are its own.
Seen look(Interpreter& interpreter, strategy::Strategy& strategy, std::uint64_t seed, std::uint64_t executions) {
  Seen seen;
  Steps steps;
  while (seen.executions < executions) {
    Random random(combine(seed, seen.executions));
    if (!strategy.begin(random)) break;
    steps.all.clear();
    interpreter.run({strategy, &steps});
    seen.orders.merge(orders(steps.all));
    ++seen.executions;
  }
  return seen;
}

/// Nothing in it depends on time, or on what a try finds.
bool is_plain(const Program& program) {
  for (const auto& actions : program.operations)
    for (const Action& action : actions) switch (action.what) {
        case Do::step:
        case Do::read:
        case Do::write:
        case Do::store:
        case Do::lock:
        case Do::unlock:
        case Do::read_lock:
        case Do::write_lock:
        case Do::read_write_unlock:
        case Do::acquire:
        case Do::release:
        case Do::create:
        case Do::join:
        case Do::choose:
          break;
        default:
          return false;
      }
  return true;
}

constexpr std::uint64_t kExecutions = 200;

// A random walk of as many executions misses 2 % of these orders.
TEST(Maple, CoversEveryOrderOfTwoAccessesThatCanHappenAndGivesUpTheOthers) {
  constexpr std::uint64_t kSchedulesMax = 3'000;
  int programs = 0;
  std::size_t feasible = 0;
  for (std::uint64_t i = 0; programs < 1'000; ++i) {
    Random random(combine(31, i));
    const Program program = generate(random, {4, 6, 2});
    if (!is_plain(program)) continue;
    Interpreter interpreter(program);
    const Seen all = look(interpreter, *strategy::make_depth_first(), 1, kSchedulesMax);
    if (all.executions == kSchedulesMax || all.orders.empty()) continue;
    ++programs;
    feasible += all.orders.size();
    const auto maple = strategy::make_maple();
    EXPECT_EQ(look(interpreter, *maple, combine(32, i), kExecutions).orders, all.orders) << to_string(program);
    EXPECT_FALSE(maple->roots().is_anything_left()) << to_string(program);
    if (HasFailure()) return;
  }
  EXPECT_GT(feasible, 4'000u);
}

TEST(Maple, GivesUpWhatALockOrAJoinForbids) {
  // The write of 1 is never the last under the lock; what is read after the join is not read before.
  const Program program{.operations = {{create(1, 2), join(1), join(2), read(0)},
                                       {lock(0), write(0, 1), write(0, 2), unlock(0)},
                                       {lock(0), write(0, 3), unlock(0)}}};
  Interpreter interpreter(program);
  const auto maple = strategy::make_maple();
  const Seen seen = look(interpreter, *maple, 1, kExecutions);
  // lock -> lock both ways, 2 -> 3, 3 -> 1, 2 -> read, 3 -> read.
  EXPECT_EQ(seen.orders.size(), 6u);
  EXPECT_FALSE(maple->roots().is_anything_left());
}

// --- two dependencies -----------------------------------------------------------------------------------------------

/// Operations with other things to do, one before and one after, so that by chance they hardly ever meet; then a check.
Program apart(std::vector<Action> early, std::vector<Action> late, Check check_at_end) {
  constexpr std::size_t kOtherThings = 12;
  early.insert(early.end(), kOtherThings, step());
  late.insert(late.begin(), kOtherThings, step());
  return {.operations = {{create(1, 2), join(1), join(2), check(0)}, std::move(early), std::move(late)},
          .checks = {check_at_end}};
}

/// The mean, over trials, of the executions up to the first that fails.
double mean_executions_to_bug(const Program& program, std::unique_ptr<strategy::Strategy> (*make)(), int trials) {
  double sum = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto strategy = make();
    sum += static_cast<double>(explore(program, *strategy, mix(static_cast<std::uint64_t>(trial) + 1), 10'000,
                                       [](const Result& result) { return !result.verdict.is_failure(); }));
  }
  return sum / trials;
}

TEST(Maple, ComesBetweenTwoAccesses) {
  enum { x, y };
  constexpr int kTrials = 50;
  struct Row {
    const char* idiom;
    Program program;
  };
  const Row rows[] = {
      {"2", apart({read(x), store(x, 1)}, {write(x, 5)}, [](const Memory& m) { return m[x] != 1; })},
      {"3", apart({write(x, 1), read(x), store(y, 0)}, {write(x, 2), write(x, 3)},
                  [](const Memory& m) { return m[y] != 3; })},
      {"4", apart({write(x, 1), write(y, 1)}, {write(x, 2), write(y, 2)},
                  [](const Memory& m) { return m[x] != 2 || m[y] != 1; })},
      {"4 behind a lock that both only read", apart({read_lock(0), write(x, 1), write(y, 1), read_write_unlock(0)},
                                                    {read_lock(0), write(x, 2), write(y, 2), read_write_unlock(0)},
                                                    [](const Memory& m) { return m[x] != 2 || m[y] != 1; })},
      {"5", apart({lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)},
                  [](const Memory&) { return true; })},
  };
  for (const Row& row : rows) {
    const double by_maple = mean_executions_to_bug(
        row.program, []() -> std::unique_ptr<strategy::Strategy> { return strategy::make_maple(); }, kTrials);
    const double by_random = mean_executions_to_bug(
        row.program, []() -> std::unique_ptr<strategy::Strategy> { return strategy::make_random(); }, kTrials);
    std::printf("maple: idiom %s %.1f (random %.1f)\n", row.idiom, by_maple, by_random);
    EXPECT_LT(by_maple, 10) << row.idiom;
  }
}

// Of 1,000 operations the one that matters is created last, and an execution has more than 9,000 steps.
TEST(Maple, TestsWhatTheLastOfManyOperationsDoes) {
  const Program program = two_stage(999);
  constexpr std::uint64_t kTrials = 4;
  std::uint64_t executions = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const auto maple = strategy::make_maple();
    explore(program, *maple, combine(5, trial), 100, [&](const Result& result) {
      ++executions;
      return !result.verdict.is_failure();
    });
  }
  std::printf("maple: twostage_1000 %.1f\n", static_cast<double>(executions) / kTrials);
  EXPECT_LE(executions, 15 * kTrials);
}

}  // namespace
}  // namespace heddle::test
