// Draws a machine from its declaration: its states, and the events that lead from one to another. Transitions that an
// action makes by calling go_to, push or pop are not declared, so the picture does not show them; heddle::Coverage
// does.
#pragma once

#include <string>

#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle {
namespace actor {

std::string dot_of(const Table& table);
std::string svg_of(const Table& table);

/// The table of a machine or a monitor.
template <typename M>
const Table& any_table_of() {
  if constexpr (std::is_base_of_v<Monitor, M>)
    return monitor_table_of<M>();
  else
    return table_of<M>();
}

}  // namespace actor

/// The diagram as a graph for Graphviz.
template <typename M>
std::string diagram_dot() {
  return actor::dot_of(actor::any_table_of<M>());
}

/// The diagram as an SVG picture.
template <typename M>
std::string diagram_svg() {
  return actor::svg_of(actor::any_table_of<M>());
}

}  // namespace heddle
