// Sink: priorities that sink now and then, and rise again when they lose a race. heddle's own strategy.
//
// Every operation has a priority, initially uniform. The highest enabled one goes and keeps its priority. After each of
// its steps, its priority sinks below all others with probability 1 / every. The enabled operations whose next event
// depends on its step have lost a race and draw again, uniformly.
//
// Like PCT (pct.cpp), it makes long runs and leaves an operation behind until all others wait for it. Like POS
// (pos.cpp), it does not leave an operation behind for ever. It needs no guess of the length of an execution, and the
// number of changes grows with that length. So it meets a bug that takes several changes in a row, as bugs of protocols
// do, far sooner. In bench/protocols_bench.cpp it finds the bug of Paxos after 300 executions on average, the next best
// sampler after about 1,000.
//
// Values are uniform.
#include "strategy/builtin.hpp"
#include "strategy/support/event_priorities.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class SinkingPriorities final : public Randomised, private StepWatcher {
 public:
  explicit SinkingPriorities(std::uint32_t every) : every_(every) {}

  bool begin(Random& random) override {
    priorities_.begin();
    next_sunk_ = kSunk;
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    return priorities_.choose(view, [this](OperationId) { return random_->next() | kDrawn; });
  }

  StepWatcher* watcher() override { return this; }

 private:
  static constexpr std::uint64_t kDrawn = 1ull << 63;  // above all sunk priorities
  static constexpr std::uint64_t kSunk = kDrawn - 1;   // the first to sink; later ones are below it

  void on_step(const ScheduleView& view, OperationId who) override {
    if (random_->below(every_) == 0) priorities_.set(who, next_sunk_--);
    priorities_.lose(view, who);
  }

  std::uint32_t every_;
  EventPriorities priorities_;
  std::uint64_t next_sunk_ = kSunk;
};

}  // namespace

std::unique_ptr<Strategy> make_sinking_priorities(std::uint32_t every) {
  return std::make_unique<SinkingPriorities>(every);
}

}  // namespace heddle::strategy
