// taPCT: trace-aware PCT. Ozkan, Majumdar and Oraee, OOPSLA 2019, with operations in place of the paper's chains.
//
// This is PCT (pct.cpp) with change points only on racy events: those of resources that several operations use and not
// only read. Other events cannot be part of a bug's ordering constraints. So a bug of depth d is met with probability
// at least 1 / (n r^(d-1)), where r is the number of racy events at which there was a choice.
//
// Differs from the paper: which events are racy is learned from the uses of resources so far (shared_resources.hpp), r
// is learned like PCT's k, and the chains are the operations themselves. The first execution has no change points.
#include "strategy/builtin.hpp"
#include "strategy/sampling/priorities.hpp"
#include "strategy/support/learned_length.hpp"
#include "strategy/support/randomised.hpp"
#include "strategy/support/shared_resources.hpp"

namespace heddle::strategy {
namespace {

class TraceAwarePct final : public Randomised, private StepWatcher {
 public:
  explicit TraceAwarePct(std::uint32_t depth) : priorities_(depth) {}

  bool begin(Random& random) override {
    priorities_.begin(random, length_.value());
    resources_.begin();
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    return priorities_.choose(view.enabled, [&](OperationId id) {
      return resources_.is_racy(resources_.name(view, view.next(id).resource));
    });
  }

  void end(const ExecutionSummary& summary) override { length_.learn(priorities_.choices(), summary.verdict); }
  StepWatcher* watcher() override { return this; }

 private:
  void on_step(const ScheduleView& view, OperationId who) override { resources_.use(view, who); }

  Priorities priorities_;
  LearnedLength length_;  // in racy events
  SharedResources resources_;
};

}  // namespace

std::unique_ptr<Strategy> make_trace_aware_pct(std::uint32_t depth) { return std::make_unique<TraceAwarePct>(depth); }

}  // namespace heddle::strategy
