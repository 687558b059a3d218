// Sink: priorities that sink now and then, and come up again when they lose a race. heddle's own.
//
// Every operation has a priority, uniform at first; the highest enabled one goes, and keeps its priority. After each of
// its steps its priority sinks below all others with probability 1 / every. Those that stood enabled before an event
// dependent on its step have lost a race and draw again, uniformly.
//
// From PCT (pct.cpp) it has the long runs and the operation that is left behind until all others wait for it, and from
// POS (pos.cpp) that one who is left behind is not so for ever. It needs no guess of how long an execution will be, and
// has as many changes as the execution is long: a bug that takes several in a row, as those of protocols do, is met far
// sooner. Of bench/protocols_bench.cpp it finds Paxos' bug after 300 executions on average, the next best sampler after
// about 1,000.
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
  static constexpr std::uint64_t kDrawn = 1ull << 63;  // above all that have sunk
  static constexpr std::uint64_t kSunk = kDrawn - 1;   // the first; the next is below it

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
