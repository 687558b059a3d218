// The systematic strategies against brute force: exactly the schedules there are, each once, the cheap ones first.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "strategy/builtin.hpp"
#include "support/enumerate.hpp"
#include "support/fake_view.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using strategy::BoundedSearch;

constexpr std::uint32_t kUnlimited = BoundedSearch::kUnlimited;
constexpr std::uint64_t kNoLimit = ~0ull;

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::uint64_t count(const Program& program, strategy::Strategy& strategy) {
  return explore(program, strategy, 1, kNoLimit, [](const Result&) { return true; });
}

TEST(Systematic, IndependentStepsGiveTheMultinomialCoefficient) {
  const std::pair<std::uint32_t, std::uint32_t> sizes[] = {{2, 1}, {2, 2}, {2, 5}, {2, 7}, {3, 1},
                                                           {3, 2}, {3, 3}, {4, 1}, {4, 2}, {7, 1}};
  for (const auto& [n, k] : sizes) {
    std::uint64_t expected = factorial(n * k);  // (nk)! / (k!)^n
    for (std::uint32_t i = 0; i < n; ++i) expected /= factorial(k);
    const Program program = independent(n, k);
    EXPECT_EQ(count(program, *strategy::make_depth_first()), expected) << n << " operations of " << k;
    EXPECT_EQ(count(program, *strategy::make_preemption_bounding(kUnlimited)), expected);
    EXPECT_EQ(count(program, *strategy::make_delay_bounding(kUnlimited)), expected);
  }
}

TEST(Systematic, ValuesMultiply) {
  const Program program{.operations = {{choose(2), choose(3), choose(1), choose(4)}}};
  EXPECT_EQ(count(program, *strategy::make_depth_first()), 24u);
  EXPECT_EQ(count(program, *strategy::make_preemption_bounding(0)), 24u);  // values cost nothing
  EXPECT_EQ(count(program, *strategy::make_delay_bounding(0)), 24u);
}

struct ByBits {
  bool operator()(const Schedule& a, const Schedule& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](Choice x, Choice y) { return x.bits() < y.bits(); });
  }
};
using Expected = std::map<Schedule, Terminal, ByBits>;

/// Runs the strategy to its end: it must meet each of the schedules for which `belongs` holds once, and no other.
template <typename Belongs>
void expect_exactly(const Program& program, strategy::Strategy& strategy, const Expected& all, Belongs belongs,
                    std::uint32_t Terminal::*cost = nullptr) {
  std::map<Schedule, int, ByBits> seen;
  std::uint32_t last_cost = 0;
  explore(program, strategy, 1, kNoLimit, [&](const Result& result) {
    const auto found = all.find(result.schedule);
    EXPECT_TRUE(found != all.end()) << "a schedule that does not exist";
    if (found == all.end()) return false;
    EXPECT_TRUE(belongs(found->second)) << "a schedule beyond the bound";
    EXPECT_EQ(++seen[result.schedule], 1) << "a schedule twice";
    EXPECT_EQ(result.verdict.kind, found->second.verdict);
    EXPECT_EQ(result.memory, found->second.memory);
    if (cost) {
      EXPECT_LE(last_cost, found->second.*cost) << "a cheap schedule after a dear one";
      last_cost = found->second.*cost;
    }
    return !testing::Test::HasFailure();
  });
  const auto expected = std::count_if(all.begin(), all.end(), [&](const auto& entry) { return belongs(entry.second); });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(seen.size()), expected) << "some schedules were missed";
}

const auto everything = [](const Terminal&) { return true; };

void expect_all_searches_right(const Program& program, const Expected& all) {
  expect_exactly(program, *strategy::make_depth_first(), all, everything);
  for (std::uint32_t bound : {0u, 1u, 2u, kUnlimited}) {
    const auto ipb = strategy::make_preemption_bounding(bound);
    const auto idb = strategy::make_delay_bounding(bound);
    expect_exactly(
        program, *ipb, all, [=](const Terminal& t) { return t.preemptions <= bound; }, &Terminal::preemptions);
    expect_exactly(
        program, *idb, all, [=](const Terminal& t) { return t.delays <= bound; }, &Terminal::delays);
    const auto most = [&](std::uint32_t Terminal::*cost) {
      std::uint32_t max = 0;
      for (const auto& [schedule, terminal] : all) max = std::max(max, terminal.*cost);
      return max;
    };
    const auto schedules = [&](std::uint32_t Terminal::*cost) {
      for (const auto& [schedule, terminal] : all)
        if (terminal.*cost <= bound && terminal.left_out_unfair) return "every fair schedule";
      return "every schedule";
    };
    EXPECT_EQ(ipb->explored() == schedules(&Terminal::preemptions), most(&Terminal::preemptions) <= bound)
        << ipb->explored();
    EXPECT_EQ(idb->explored() == schedules(&Terminal::delays), most(&Terminal::delays) <= bound) << idb->explored();
    EXPECT_EQ(ipb->bytes(), 0u);  // nothing is left behind
    EXPECT_EQ(idb->bytes(), 0u);
  }
}

TEST(Systematic, AgreesWithBruteForceOnGeneratedPrograms) {
  constexpr std::size_t kSchedulesMax = 400;
  constexpr int kPrograms = 600;
  int compared = 0, with_values = 0, with_switches = 0;
  for (std::uint64_t seed = 0; compared < kPrograms; ++seed) {
    Random random(combine(7, seed));
    const Program program = generate(random, {4, 4, 2});
    const auto terminals = enumerate(program, kSchedulesMax);
    if (!terminals || terminals->size() < 2) continue;
    ++compared;
    Expected all;
    for (const Terminal& terminal : *terminals) {
      EXPECT_TRUE(all.emplace(terminal.schedule, terminal).second);
      with_values += std::any_of(terminal.schedule.begin(), terminal.schedule.end(),
                                 [](Choice choice) { return choice.is_value(); });
      with_switches += terminal.preemptions > 0 && terminal.delays > terminal.preemptions;
    }
    SCOPED_TRACE(to_string(program));
    expect_all_searches_right(program, all);
    if (HasFailure()) return;
  }
  EXPECT_GT(with_values, 1000);  // schedules, so that the comparison means something
  EXPECT_GT(with_switches, 1000);
}

/// Of equivalent schedules one is enough: what all schedules end in, those that are left end in as well.
TEST(Systematic, ReducedSearchComesToEveryEnd) {
  std::uint64_t all_executions = 0;
  std::uint64_t executions = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(combine(11, seed));
    const Program program = generate(random, {4, 4, 2});
    const auto terminals = enumerate(program, 2000);
    if (!terminals) continue;
    using End = std::pair<VerdictKind, Memory>;
    std::set<End> expected, found;
    for (const Terminal& terminal : *terminals) expected.emplace(terminal.verdict, terminal.memory);
    const auto reduced = strategy::make_depth_first(true);
    executions += explore(program, *reduced, 1, kNoLimit, [&](const Result& result) {
      found.emplace(result.verdict.kind, result.memory);
      return true;
    });
    all_executions += terminals->size();
    ASSERT_EQ(found, expected) << to_string(program);
  }
  EXPECT_LT(executions, all_executions / 3) << "it should leave most of them out";
}

TEST(Systematic, LoopsThatYieldHaveFinitelyManySchedules) {
  // Without the scheduler's fairness each round of a loop would be one more choice, without end.
  const Program loops[] = {
      {.operations = {{create(1), step(), write(0, 1)}, {yield(), loop_until(0, 1, 0)}}},
      {.operations = {{create(1), write(0, 1)}, {sleep(5), loop_until(0, 1, 0)}}},
      {.operations = {{create(1), write(0, 1)}, {lock(0), timed_wait(0, 0, 5), unlock(0), loop_until(0, 1, 0)}}},
  };
  for (const Program& program : loops) {
    const auto terminals = enumerate(program, 5000);
    ASSERT_TRUE(terminals) << to_string(program);
    EXPECT_GT(terminals->size(), 3u);
    Expected all;
    for (const Terminal& terminal : *terminals) all.emplace(terminal.schedule, terminal);
    SCOPED_TRACE(to_string(program));
    expect_all_searches_right(program, all);
  }
}

TEST(Systematic, FirstScheduleIsTheNonPreemptiveOne) {
  const Program program = independent(3, 2);
  const std::vector<Step> expected = run_once(program, *strategy::make_delay_bounding(0), 1).steps;
  for (std::size_t i = 0; i < expected.size(); ++i)  // main's step, then two each
    EXPECT_EQ(index(expected[i].who), (i + 1) / 2) << i;
  EXPECT_EQ(run_once(program, *strategy::make_depth_first(), 1).steps, expected);
  EXPECT_EQ(run_once(program, *strategy::make_preemption_bounding(0), 1).steps, expected);
}

TEST(Systematic, CountsExecutionsPerBound) {
  const auto idb = strategy::make_delay_bounding(3);
  std::map<std::uint32_t, std::uint64_t> at;
  explore(independent(3, 3), *idb, 1, kNoLimit, [&](const Result&) {
    ++at[idb->bound()];
    return true;
  });
  ASSERT_EQ(at.size(), 4u);
  for (const auto& [bound, executions] : at) EXPECT_EQ(idb->executions_at(bound), executions);
  EXPECT_EQ(idb->executions_at(4), 0u);
}

// --- programs that do not do the same twice ------------------------------------------------------------------------

/// Runs one program in every third execution and another in the others.
std::uint64_t explore_fickle(const Program& often, const Program& seldom, strategy::Strategy& strategy,
                             std::uint64_t limit) {
  Interpreter first(often), second(seldom);
  for (std::uint64_t done = 0; done < limit; ++done) {
    Random random(done);
    if (!strategy.begin(random)) return done;
    (done % 3 == 2 ? second : first).run(strategy);
  }
  return limit;
}

TEST(Systematic, GivesUpBranchesThatCannotBeRepeatedAndSaysSo) {
  const Program steps = independent(3, 3);
  const Program others[] = {
      independent(2, 3),                                           // other operations
      {.operations = {{choose(2), choose(2)}}},                    // values in place of operations
      {.operations = {{step(), create(1), step()}, {choose(5)}}},  // something of each
      {.operations = {{step()}}},                                  // nothing to choose: ends early
  };
  const Program values{.operations = {{choose(3), choose(3), choose(3)}}};
  for (const Program& other : others)
    for (const Program& often : {steps, values})
      for (int which = 0; which < 3; ++which) {
        const std::unique_ptr<strategy::Strategy> searches[] = {strategy::make_depth_first(),
                                                                strategy::make_preemption_bounding(kUnlimited),
                                                                strategy::make_delay_bounding(kUnlimited)};
        strategy::Strategy& search = *searches[which];
        EXPECT_LT(explore_fickle(often, other, search, 100'000), 100'000u);  // it ends
        EXPECT_NE(search.explored().find("did not do the same twice"), std::string::npos) << search.explored();
      }
}

TEST(Systematic, NoticesOtherAlternativesWhereTheChoiceStillFits) {
  // What the first point offers, at first and later: as many others, or one more.
  const std::pair<FakeView, FakeView> points[] = {{FakeView({0, 1}, 0), FakeView({0, 2}, 0)},
                                                  {FakeView({0, 1}, 0), FakeView({0, 1, 2}, 0)}};
  const Verdict passed;
  for (const auto& [at_first, later] : points) {
    const std::unique_ptr<strategy::Strategy> searches[] = {strategy::make_depth_first(),
                                                            strategy::make_preemption_bounding(kUnlimited),
                                                            strategy::make_delay_bounding(kUnlimited)};
    for (const auto& search : searches) {
      Random random(0);
      for (int execution = 0; search->begin(random); ++execution) {
        search->choose_operation(execution == 0 ? at_first : later);
        search->choose_operation(FakeView({0, 1}, 0));
        search->end({passed, 2, {}});
        ASSERT_LT(execution, 100);
      }
      EXPECT_NE(search->explored().find("did not do the same twice"), std::string::npos) << search->explored();
    }
  }
}

TEST(Systematic, SaysThatExecutionsWereCut) {
  const Program spin{.operations = {{create(1), write(0, 1)}, {loop_until(0, 1, 0)}}};
  const auto dfs = strategy::make_depth_first();
  explore(spin, *dfs, 1, 1000, [](const Result&) { return true; }, {.steps_max = 12});
  // Twelve steps: the create and eleven reads; or ten reads and the write, and no step left for the read that ends it.
  EXPECT_EQ(dfs->explored(), "every schedule, 2 executions only up to the step bound");
}

TEST(Systematic, SaysThatMemoryWasNotEnough) {
  const auto one = [](const strategy::ScheduleView&, const strategy::Alternatives&, std::uint32_t j) {
    return j > 0 ? 1u : 0u;
  };
  BoundedSearch search(one, "switch", kUnlimited, 4096);
  const std::uint64_t executions = count(independent(3, 3), search);
  EXPECT_LT(executions, 1680u);
  EXPECT_GT(executions, 100u);
  EXPECT_NE(search.explored().find("did not fit into memory"), std::string::npos) << search.explored();
}

}  // namespace
}  // namespace heddle::test
