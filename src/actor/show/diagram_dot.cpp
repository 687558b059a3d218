#include "actor/show/dot.hpp"
#include "actor/show/lines.hpp"
#include "heddle/actor/diagram.hpp"

namespace heddle::actor {
namespace {

void add_events(std::string& label, std::string_view what, const std::vector<std::string>& events) {
  for (std::size_t i = 0; i < events.size(); ++i)
    label.append(i == 0 ? "\n" + std::string(what) + " " : ", ").append(events[i]);
}

std::string label_of(const ShownState& state) {
  std::string label = state.name;
  add_events(label, "handles", state.handles);
  add_events(label, "defers", state.defers);
  add_events(label, "ignores", state.ignores);
  return label;
}

std::string_view colour_of(const ShownState& state) {
  return state.heat == Heat::hot ? "#ffebe9" : state.heat == Heat::cold ? "#ddf4ff" : "white";
}

}  // namespace

std::string dot_of(const Table& table) {
  const Shown all = shown(table);
  std::string out = "digraph " + dot_quoted(table.name()) + " {\n  node [shape=box, style=\"rounded,filled\"];\n";
  for (const ShownState& state : all.states) {
    out += "  " + dot_quoted(state.name) + " [label=" + dot_quoted(label_of(state)) +
           ", fillcolor=" + dot_quoted(colour_of(state)) + (state.is_start ? ", penwidth=2" : "") + "];\n";
  }
  for (const Arrow& arrow : all.arrows)
    out += "  " + dot_quoted(all.states[arrow.from].name) + " -> " + dot_quoted(all.states[arrow.to].name) +
           " [label=" + dot_quoted(arrow.events) + (arrow.pushes ? ", style=dashed" : "") + "];\n";
  return out + "}\n";
}

}  // namespace heddle::actor
