// URW: uniform random walk. Zhao, Wolff, Mathur and Roychoudhury, ASPLOS 2025.
//
// An enabled operation is chosen with a probability proportional to the number of steps that it, and the operations it
// will create, still have to take. If no operation ever waits for another, every interleaving is then equally likely. A
// random walk favours those in which short operations finish early.
//
// Differs from the paper: the numbers are learned on the way (learned_counts.hpp), so the first execution is a random
// walk. Values are uniform.
#include "strategy/builtin.hpp"
#include "strategy/sampling/learned_counts.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class UniformWalk final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override {
    counts_.begin();
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    counts_.meet(view, view.enabled.back());
    double total = 0;
    for (OperationId id : view.enabled) total += counts_.left(id);
    double at = random_->unit() * total;
    for (OperationId id : view.enabled) {
      at -= counts_.left(id);
      if (at < 0) return id;
    }
    return view.enabled.back();
  }

  void end(const ExecutionSummary& summary) override { counts_.learn(summary.verdict); }
  StepWatcher* watcher() override { return this; }

 private:
  void on_step(const ScheduleView& view, OperationId who) override { counts_.count(view, who); }

  LearnedCounts counts_;
};

}  // namespace

std::unique_ptr<Strategy> make_uniform_walk() { return std::make_unique<UniformWalk>(); }

}  // namespace heddle::strategy
