#include "oracle/bounded.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <unordered_set>
#include <vector>

#include "oracle/state.hpp"

namespace heddle::oracle {
namespace {

struct Point {
  State state;
  int current = -1;     // took the last step
  bool paused = false;  // … and that step was a pause
  std::uint32_t cost = 0;

  std::string bytes() const {
    std::string all(reinterpret_cast<const char*>(&state), sizeof state);
    for (const int number : {current, static_cast<int>(paused), static_cast<int>(cost)})
      all += static_cast<char>(number);
    return all;
  }
};

/// Was this step of the thread the end of a sleep, or a timeout?
bool expires(const Program& program, const State& before, const State& after, int thread) {
  const ThreadState &was = before.threads[thread], &is = after.threads[thread];
  if (was.phase == Phase::waiting) return !is.cancelled;
  if (was.phase != Phase::acting && was.phase != Phase::sleeping) return false;
  const Op op = program.threads[thread][was.at].op;
  return op == Op::sleep ? !is.cancelled : is.values[was.at] == ETIMEDOUT;
}

bool pauses(const Program& program, const State& before, const State& after, int thread) {
  const ThreadState& was = before.threads[thread];
  const bool yields = was.phase == Phase::acting && program.threads[thread][was.at].op == Op::yield;
  return yields || expires(program, before, after, thread);
}

using Steps = std::array<std::vector<State>, kThreads>;  // of each thread

/// May another thread go next without preempting the one that took the last step?
bool has_given_up(const Program& program, const Point& point, const Steps& steps) {
  if (point.paused) return true;
  for (const State& after : steps[point.current])
    if (!expires(program, point.state, after, point.current)) return false;
  return true;
}

std::uint32_t cost_of(const Program& program, const Point& point, const Steps& steps, int thread, Cost cost) {
  if (point.current < 0) return 0;
  const bool could_go_on = !steps[point.current].empty();
  const bool has_turn = could_go_on && !has_given_up(program, point, steps);
  if (cost == Cost::preemptions) return thread != point.current && has_turn ? 1 : 0;
  std::uint32_t passed_over = 0;
  for (int other = could_go_on && !has_turn ? point.current + 1 : point.current; other % kThreads != thread; ++other)
    passed_over += steps[other % kThreads].empty() ? 0 : 1;
  return passed_over;
}

}  // namespace

std::optional<Outcomes> outcomes_within(const Program& program, Cost cost, std::uint32_t bound,
                                        std::size_t states_max) {
  Outcomes outcomes;
  std::unordered_set<std::string> seen;
  std::vector<Point> open = {{first_state(program)}};
  open.front().state.starts_are_steps = true;
  while (!open.empty()) {
    const Point point = open.back();
    open.pop_back();
    Steps steps;
    bool is_final = true;
    for (int thread = 0; !point.state.is_over && thread < kThreads; ++thread) {
      add_steps(program, point.state, thread, steps[thread]);
      is_final = is_final && steps[thread].empty();
    }
    if (is_final) outcomes.insert(final_outcome(program, point.state));
    for (int thread = 0; thread < kThreads; ++thread)
      for (const State& after : steps[thread]) {
        Point next{after, thread, pauses(program, point.state, after, thread),
                   point.cost + cost_of(program, point, steps, thread, cost)};
        if (next.cost <= bound && seen.insert(next.bytes()).second) open.push_back(next);
      }
    if (seen.size() > states_max) return std::nullopt;
  }
  return outcomes;
}

}  // namespace heddle::oracle
