// QL as published, under the paper's names: ql is what the tables of the paper call QL^d, ql_basic QL^b, ql_custom
// QL^c, ql_inbox QL^i, and ql_ndn QL^d-NDN. The algorithm is in q_learner.hpp; avoid.cpp goes beyond the paper.
//
// The variants differ in what they see (section 5, "QL scheduler"). ql, ql_basic and ql_ndn see the paper's default:
// StateHash::Look::kinds. custom looks only at what the program shows with heddle::observe, and at what state machines
// show of themselves; inbox only at the contents of the inboxes of state machines. basic has neither OPT-1 nor OPT-2.
// ndn draws values uniformly.
//
// A version of the authors' program divides large values before it draws (q_learner.cpp, `divisor`), which the paper
// does not mention. `divides` does the same.
//
// Differs from the paper: states not met for long are forgotten (state_table.hpp). The state after the last choice is
// not looked at. It counts as a state that is met at the end of every execution; for custom and inbox, as the state
// before it. A state machine with a hash() of its own shows it to all variants but inbox.
#include "strategy/builtin.hpp"
#include "strategy/learning/q_learner.hpp"

namespace heddle::strategy {
namespace {

class QLearning final : public QLearner {
 public:
  QLearning(QlVariant variant, bool divides) : QLearner(rules(variant, divides)), variant_(variant) {}

  MachinesShow machines_show() const override {
    return variant_ == QlVariant::inboxes ? MachinesShow::inboxes : MachinesShow::everything;
  }

 private:
  static Rules rules(QlVariant variant, bool divides) {
    const bool is_basic = variant == QlVariant::basic;
    const bool sees_operations = variant != QlVariant::custom && variant != QlVariant::inboxes;
    return {.look = sees_operations ? StateHash::Look::kinds : StateHash::Look::own,
            .learns_values = variant != QlVariant::without_values,
            .counts_visits = !is_basic,
            .shuns_failures = !is_basic,
            .divides = divides,
            .knows_end = sees_operations};
  }

  QlVariant variant_;
};

}  // namespace

std::unique_ptr<Strategy> make_q_learning(QlVariant variant, bool divides) {
  return std::make_unique<QLearning>(variant, divides);
}

}  // namespace heddle::strategy
