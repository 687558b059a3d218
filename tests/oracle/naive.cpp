#include "oracle/naive.hpp"

#include <cstring>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "oracle/state.hpp"

namespace heddle::oracle {
namespace {

struct Hash {
  std::size_t operator()(const State& state) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&state), sizeof state});
  }
};
struct Same {
  bool operator()(const State& a, const State& b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
};

/// Every state, each with the states that a step leads to.
struct Graph {
  struct Edge {
    std::size_t from;
    std::size_t to;
    int thread;
  };
  std::vector<State> states;
  std::vector<Edge> edges;
  bool is_complete = true;
};

Graph graph_of(const Program& program, std::size_t states_max, bool starts_are_steps = false) {
  Graph graph;
  std::unordered_map<State, std::size_t, Hash, Same> known;
  const auto number = [&](const State& state) {
    const auto [at, is_new] = known.emplace(state, graph.states.size());
    if (is_new) graph.states.push_back(state);
    return at->second;
  };
  State first = first_state(program);
  first.starts_are_steps = starts_are_steps;
  number(first);
  std::vector<State> next;
  for (std::size_t from = 0; from < graph.states.size(); ++from) {
    const State state = graph.states[from];
    for (int thread = 0; !state.is_over && thread < kThreads; ++thread) {
      next.clear();
      add_steps(program, state, thread, next);
      for (const State& one : next) graph.edges.push_back({from, number(one), thread});
    }
    graph.is_complete = graph.states.size() <= states_max;
    if (!graph.is_complete) break;
  }
  return graph;
}

/// Those from which a step of the thread can come at all.
std::vector<bool> can_still_step(const Graph& graph, int thread) {
  std::vector<bool> can(graph.states.size());
  for (const Graph::Edge& edge : graph.edges)
    if (edge.thread == thread) can[edge.from] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto edge = graph.edges.rbegin(); edge != graph.edges.rend(); ++edge) {
      if (can[edge->from] || !can[edge->to]) continue;
      can[edge->from] = changed = true;
    }
  }
  return can;
}

}  // namespace

// Programs have no loops, so a way does not come back to a state: those from which every way is known come first.
std::optional<std::uint64_t> interleavings(const Program& program, std::size_t states_max) {
  const Graph graph = graph_of(program, states_max, true);
  if (!graph.is_complete) return std::nullopt;
  std::vector<std::vector<std::size_t>> after(graph.states.size());
  for (const Graph::Edge& edge : graph.edges) after[edge.from].push_back(edge.to);
  std::vector<std::uint64_t> ways(graph.states.size());
  std::vector<std::size_t> open = {0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    std::uint64_t sum = after[at].empty() ? 1 : 0;
    const std::size_t depth = open.size();
    for (const std::size_t to : after[at]) {
      sum += ways[to];
      if (ways[to] == 0) open.push_back(to);
    }
    if (open.size() > depth) continue;
    ways[at] = sum;
    open.pop_back();
  }
  return ways[0];
}

std::optional<Outcomes> all_outcomes(const Program& program, std::size_t states_max) {
  Outcomes outcomes;
  std::unordered_set<State, Hash, Same> seen;
  std::vector<State> open = {first_state(program)};
  seen.insert(open.back());
  std::vector<State> next;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    next.clear();
    for (int thread = 0; !state.is_over && thread < kThreads; ++thread) add_steps(program, state, thread, next);
    if (next.empty()) outcomes.insert(final_outcome(program, state));
    for (const State& one : next)
      if (seen.insert(one).second) open.push_back(one);
    if (seen.size() > states_max) return std::nullopt;
  }
  return outcomes;
}

bool can_get_stuck(const Program& program, std::size_t states_max) {
  const Graph graph = graph_of(program, states_max);
  if (!graph.is_complete) return true;
  for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread) {
    const std::vector<bool> can = can_still_step(graph, thread);
    for (std::size_t i = 0; i < graph.states.size(); ++i) {
      const Phase phase = graph.states[i].threads[thread].phase;
      if (!graph.states[i].is_over && !can[i] && phase != Phase::not_created && phase != Phase::ended) return true;
    }
  }
  return false;
}

}  // namespace heddle::oracle
