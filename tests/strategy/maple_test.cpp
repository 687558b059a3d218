// Maple against a naive reading of its idioms: what every schedule of a small program can show is covered, and what
// none can is given up.
#include "strategy/maple.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "strategy/builtin.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"

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
  strategy.also_tell(&steps);
  while (seen.executions < executions) {
    Random random(combine(seed, seen.executions));
    if (!strategy.begin(random)) break;
    steps.all.clear();
    interpreter.run(strategy);
    seen.orders.merge(orders(steps.all));
    ++seen.executions;
  }
  return seen;
}

TEST(Maple, CoversEveryOrderOfTwoAccessesThatCanHappen) {
  constexpr std::uint64_t kSchedulesMax = 20'000;
  int programs = 0;
  std::size_t feasible = 0;
  std::size_t by_maple = 0;
  std::size_t by_random = 0;
  for (std::uint64_t i = 0; programs < 1'000; ++i) {
    Random random(combine(31, i));
    const Program program = generate(random, {4, 5, 2});
    Interpreter interpreter(program);
    const Seen all = look(interpreter, *strategy::make_depth_first(), 1, kSchedulesMax);
    if (all.executions == kSchedulesMax || all.orders.empty()) continue;
    ++programs;
    const std::uint64_t executions = 200;
    const auto maple = strategy::make_maple();
    const Seen seen = look(interpreter, *maple, i, executions);
    feasible += all.orders.size();
    by_maple += seen.orders.size();
    by_random += look(interpreter, *strategy::make_random(), i, executions).orders.size();
    if (seen.orders != all.orders && programs < 1000) std::printf("%zu of %zu after %lu\n%s\n", seen.orders.size(), all.orders.size(), all.executions, to_string(program).c_str());
    EXPECT_FALSE(maple->roots().is_anything_left());
  }
  std::printf("feasible %zu maple %zu random %zu\n", feasible, by_maple, by_random);
}

}  // namespace
}  // namespace heddle::test
