// The picture of a machine, from its declaration: states, and the events that lead from one to another. What an action
// does by calling go_to, push or pop is not declared, so it is not in the picture; heddle::Coverage sees it.
#pragma once

#include <string>

#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle {
namespace actor {

std::string dot_of(const Table& table);
std::string svg_of(const Table& table);

/// Of a machine or a monitor.
template <typename M>
const Table& any_table_of() {
  if constexpr (std::is_base_of_v<Monitor, M>)
    return monitor_table_of<M>();
  else
    return table_of<M>();
}

}  // namespace actor

/// For Graphviz.
template <typename M>
std::string diagram_dot() {
  return actor::dot_of(actor::any_table_of<M>());
}

/// A picture by itself.
template <typename M>
std::string diagram_svg() {
  return actor::svg_of(actor::any_table_of<M>());
}

}  // namespace heddle
