// Avoid: Q-learning (q_learner.hpp) that goes beyond the paper in what it sees and in how it draws.
//
// The state also includes where in the code each operation is and what it is about to touch, and what the program shows
// with heddle::observe (StateHash::Look::all). With Sees::inboxes it is the paper's QL^i: the contents of the inboxes
// of state machines, and no more.
//
// In a state never met before, all operations are worth 0, and the paper draws uniformly. Here operations have
// priorities, like the events of POS (pos.cpp): each draws one after each of its steps, and the highest goes. The
// chances of a single choice are the same, but an operation that has waited keeps waiting. Most states of a protocol
// are met once, and there a uniform walk keeps all machines at the same point. docs/strategies/ql.md has the figures.
#include <algorithm>

#include "strategy/builtin.hpp"
#include "strategy/learning/q_learner.hpp"
#include "strategy/support/event_priorities.hpp"

namespace heddle::strategy {
namespace {

class Avoidance final : public QLearner {
 public:
  explicit Avoidance(Sees sees) : QLearner(rules(sees)), sees_(sees) {}

  bool begin(Random& random) override {
    priorities_.begin();
    return QLearner::begin(random);
  }

  MachinesShow machines_show() const override {
    return sees_ == Sees::inboxes ? MachinesShow::inboxes : MachinesShow::everything;
  }

 private:
  static Rules rules(Sees sees) {
    const bool sees_operations = sees == Sees::all;
    return {.look = sees_operations ? StateHash::Look::all : StateHash::Look::own, .knows_end = sees_operations};
  }

  void on_step(const ScheduleView& view, OperationId who) override {
    QLearner::on_step(view, who);
    priorities_.draw_again(who);
  }

  std::uint32_t pick_unknown(const ScheduleView& view, std::span<const std::uint32_t>) override {
    const OperationId first = priorities_.choose(view, [this](OperationId) { return random().next(); });
    return static_cast<std::uint32_t>(std::ranges::find(view.enabled, first) - view.enabled.begin());
  }

  Sees sees_;
  EventPriorities priorities_;
};

}  // namespace

std::unique_ptr<Strategy> make_avoidance(Sees sees) { return std::make_unique<Avoidance>(sees); }

}  // namespace heddle::strategy
