// Filters see every result in order, and races that are suppressed end no execution.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/explorer.hpp"
#include "engine/scheduler.hpp"
#include "engine/suppressed_races.hpp"
#include "strategy/table.hpp"

namespace heddle::engine {
namespace {

constexpr std::uint32_t kOperations = 3;
constexpr std::uint64_t kStepsOfEach = 4;

/// Two races: the nth ends an execution after its nth steps, unless it is ignored. A value is drawn at each of them,
/// just before, and just after.
class Racy final : public Isolation {
 public:
  static constexpr std::uint64_t kRacesAfter[] = {3, 7};

  std::vector<bool> ignored{false, false};
  std::uint64_t last_race = 0;
  int recorded = 0;

  bool starts_fresh() const override { return true; }
  void set_points(Points) override {}
  void set_choices(Choices) override {}
  OperationId running() const override { return scheduler_.current(); }
  ExecutionResult so_far(const Verdict&) override { return {}; }

  ExecutionResult run(Chooser chooser, bool record) override {
    recorded += record;
    verdict_ = {};
    scheduler_.begin({}, chooser, nullptr);
    for (std::uint32_t i = 0; i < kOperations; ++i)
      scheduler_.add_operation(kNoOperation, {model::EventKind::start, kNoResource, nullptr});
    std::vector<std::uint64_t> taken(kOperations, 0);
    for (OperationId next; !is_over() && (next = scheduler_.pick()) != kNoOperation;) {
      if (++taken[index(next)] == kStepsOfEach)
        scheduler_.end_operation(next);
      else
        scheduler_.stand(next, {model::EventKind::step, kNoResource, nullptr});
      race();
    }
    return {&verdict_, scheduler_.steps(), kOperations, scheduler_.schedule(), record ? &trace_ : nullptr};
  }

 private:
  bool is_over() const { return verdict_.kind == VerdictKind::race; }
  void race() {
    const auto* const at = std::ranges::find(kRacesAfter, scheduler_.steps());
    if (at == std::end(kRacesAfter)) return;
    (void)scheduler_.choose_value(5);
    last_race = static_cast<std::uint64_t>(at - std::begin(kRacesAfter));
    if (!ignored[last_race])
      verdict_.kind = VerdictKind::race;
    else
      (void)scheduler_.choose_value(7);
  }

  Scheduler scheduler_;
  Verdict verdict_;
  Trace trace_;
};

class Suppressions final : public RaceSuppressions {
 public:
  Suppressions(Racy& program, bool second_too) : program_(program), second_too_(second_too) {}
  std::uint64_t last_race() override { return program_.last_race; }
  bool is_suppressed(const Trace&) override { return program_.last_race == 0 || second_too_; }
  void ignore(std::uint64_t race) override { program_.ignored[race] = true; }

 private:
  Racy& program_;
  bool second_too_;
};

/// What a watcher was told: the steps, as operations, and the values.
class Told final : public strategy::StepWatcher {
 public:
  std::vector<std::uint64_t> all;

  void on_step(const strategy::ScheduleView& view, OperationId who) override {
    all.push_back(view.step * 10 + index(who));
  }
  void on_value(const strategy::ScheduleView&, std::uint32_t value) override { all.push_back(1000 + value); }
};

std::vector<Choice> run(Racy& program, ResultFilter* filter, Told& told, VerdictKind expected) {
  const strategy::Parsed parsed = strategy::parse("pos");
  Random random(9);
  EXPECT_TRUE(parsed.strategy->begin(random));
  const Chooser chooser(*parsed.strategy, &told);
  ExecutionResult result = program.run(chooser, false);
  if (filter != nullptr) result = filter->filter(result, {program, chooser, Purpose::search});
  EXPECT_EQ(result.verdict->kind, expected);
  return {result.schedule.begin(), result.schedule.end()};
}

TEST(SuppressedRaces, EndNoExecutionAndAreToldNobody) {
  Racy free;
  free.ignored = {true, true};
  Told expected;
  const std::vector<Choice> schedule = run(free, nullptr, expected, VerdictKind::passed);
  EXPECT_EQ(expected.all.size(), kOperations * kStepsOfEach + 4);  // each step once, and four values

  Racy program;
  Suppressions suppressions(program, true);
  SuppressedRaces filter(suppressions);
  Told told;
  EXPECT_EQ(run(program, &filter, told, VerdictKind::passed), schedule);
  EXPECT_EQ(told.all, expected.all);
  EXPECT_EQ(program.recorded, 2);  // each race was looked at once
  Told again;
  EXPECT_EQ(run(program, &filter, again, VerdictKind::passed), schedule);
  EXPECT_EQ(program.recorded, 2);
}

TEST(SuppressedRaces, LeaveTheOthers) {
  Racy program;
  Suppressions suppressions(program, false);
  SuppressedRaces filter(suppressions);
  for (int i = 0; i < 2; ++i) {
    Told told;
    run(program, &filter, told, VerdictKind::race);
    EXPECT_EQ(told.all.size(), 7u + 3u);
  }
  EXPECT_EQ(program.recorded, 2);
}

/// Fails what passed, or notes what it was shown.
class Noting final : public ResultFilter {
 public:
  explicit Noting(bool fails) : fails_(fails) { verdict_.kind = VerdictKind::failed; }

  std::vector<Purpose> purposes;
  std::vector<VerdictKind> verdicts;

  ExecutionResult filter(const ExecutionResult& result, const Finished& execution) override {
    purposes.push_back(execution.purpose);
    verdicts.push_back(result.verdict->kind);
    ExecutionResult changed = result;
    if (fails_) changed.verdict = &verdict_;
    return changed;
  }

 private:
  bool fails_;
  Verdict verdict_;
};

TEST(ResultFilters, ComeInOrderAndSeeEveryExecution) {
  Racy program;
  program.ignored = {true, true};
  Noting first(true);
  Noting second(false);
  Explorer explorer(program);
  explorer.add_filter(first);
  explorer.add_filter(second);
  const strategy::Parsed parsed = strategy::parse("random");
  const Findings findings = explorer.explore(*parsed.strategy, {.executions = 5}, 1);
  ASSERT_EQ(findings.failures.size(), 1u);
  EXPECT_TRUE(findings.failures[0].confirmed);
  EXPECT_EQ(findings.totals.executions, 1u);
  EXPECT_EQ(first.purposes, (std::vector{Purpose::search, Purpose::record}));
  EXPECT_EQ(second.purposes, first.purposes);
  EXPECT_EQ(first.verdicts, (std::vector{VerdictKind::passed, VerdictKind::passed}));
  EXPECT_EQ(second.verdicts, (std::vector{VerdictKind::failed, VerdictKind::failed}));
}

/// As the command does with a run that stands still on a busy machine.
class EndsFirstRecording final : public ResultFilter {
 public:
  ExecutionResult filter(const ExecutionResult& result, const Finished& execution) override {
    if (execution.purpose != Purpose::record || recordings_++ != 0) return result;
    ended_.kind = VerdictKind::cut;
    ended_.cut = CutReason::ended;
    return {&ended_, 0, 0, {}, nullptr};
  }

 private:
  int recordings_ = 0;
  Verdict ended_;
};

TEST(Confirming, GoesOnceMoreIfTheSecondRunHadToBeEnded) {
  Racy program;
  EndsFirstRecording ends;
  Explorer explorer(program);
  explorer.add_filter(ends);
  const strategy::Parsed parsed = strategy::parse("random");
  const Findings findings = explorer.explore(*parsed.strategy, {.executions = 5}, 1);
  ASSERT_EQ(findings.failures.size(), 1u);
  EXPECT_TRUE(findings.failures[0].confirmed);
  EXPECT_EQ(program.recorded, 2);
}

}  // namespace
}  // namespace heddle::engine
