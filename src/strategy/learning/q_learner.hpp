// Q-learning, for the variants of the paper (ql.cpp) and for what goes beyond it (avoid.cpp). Mukherjee, Deligiannis,
// Biswas and Lal, "Learning-based controlled concurrency testing", OOPSLA 2020.
//
// Every action in every state has a Q-value, initially 0, and is chosen with a probability proportional to its
// exponential (algorithm 2). After each execution, from its last choice to its first,
//
//   Q(s,a) := (1 - alpha) Q(s,a) + alpha (R + gamma max Q(s',.))    with alpha 0.3, gamma 0.7
//
// where s' is the state that the action led to (algorithm 3). The reward R is -1, times the number of visits of s' so
// far (OPT-1), or -1000 if the action made something fail (OPT-2). So states seen often are avoided, and a failure is
// tried about once in each state. Values are actions like operations.
//
// A choice and its lesson cost a few nanoseconds for each action that was possible.
#pragma once

#include <span>

#include "base/page_vector.hpp"
#include "strategy/learning/learner.hpp"

namespace heddle::strategy {

class QLearner : public Learner {
 protected:
  struct Rules {
    StateHash::Look look;
    bool learns_values = true;
    bool counts_visits = true;   // OPT-1
    bool shuns_failures = true;  // OPT-2
    bool divides = false;        // large values are divided before they become probabilities: see `divisor`
    bool knows_end = true;       // the state after the last choice is one that is met at the end of every execution;
                                 // otherwise it is the state before that choice
  };

  explicit QLearner(const Rules& rules) : Learner(rules.look, rules.learns_values, 0), rules_(rules) {}

 private:
  std::uint32_t pick(std::span<const std::uint32_t> actions) override;
  void learn(std::span<const Decision> decisions) override;

  Rules rules_;
  float ends_ = 0;               // the number of executions that ended
  CommonVector<float> weights_;  // scratch space of `pick`
};

}  // namespace heddle::strategy
