// What a state does with each event, prepared for display: the arrows to other states, and what happens without one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "actor/table.hpp"

namespace heddle::actor {

struct ShownState {
  std::string name;
  bool is_start = false;
  Heat heat = Heat::warm;
  std::vector<std::string> handles, defers, ignores;  // events
};

/// Several events may lead from one state to another.
struct Arrow {
  StateIndex from;
  StateIndex to;
  bool pushes;
  std::string events;  // `Commit, Abort`
};

struct Shown {
  std::vector<ShownState> states;  // indexed by state
  std::vector<Arrow> arrows;
};

inline Shown shown(const Table& table) {
  Shown all;
  std::map<std::tuple<StateIndex, StateIndex, bool>, std::string> arrows;
  for (StateIndex from = 0; from < table.state_count(); ++from) {
    ShownState& state = all.states.emplace_back();
    state.name = table.state_name(from);
    state.is_start = from == table.start();
    state.heat = table.state(from).heat;
    for (const EventType* event : table.events()) {
      const Cell& cell = table.cell(from, *event);
      if (cell.does == Does::action) state.handles.emplace_back(event->name);
      if (cell.does == Does::defer) state.defers.emplace_back(event->name);
      if (cell.does == Does::ignore) state.ignores.emplace_back(event->name);
      if (cell.does != Does::go_to && cell.does != Does::push) continue;
      std::string& events = arrows[{from, cell.target, cell.does == Does::push}];
      events.append(events.empty() ? "" : ", ").append(event->name);
    }
  }
  for (auto& [ends, events] : arrows)
    all.arrows.push_back({std::get<0>(ends), std::get<1>(ends), std::get<2>(ends), events});
  return all;
}

}  // namespace heddle::actor
