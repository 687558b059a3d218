// `heddle strategies`: prints the table of strategies.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/command.hpp"
#include "strategy/table.hpp"

namespace heddle::cli {
namespace {

int list_strategies() {
  std::size_t width = 0;
  for (const strategy::Entry& entry : strategy::strategies()) width = std::max(width, entry.name.size());
  std::string text;
  for (const strategy::Entry& entry : strategy::strategies()) {
    text += fmt::format("{:{}}  {}\n", entry.name, width, entry.summary);
    for (const strategy::Parameter& parameter : entry.parameters) {
      text += fmt::format("{:{}}    {}={}: {}", "", width, parameter.name, parameter.fallback, parameter.summary);
      text += parameter.names.empty() ? "\n" : ": " + allowed(parameter) + "\n";
    }
  }
  text += "\nChoose one with Options::strategy or in the environment: HEDDLE_STRATEGY=pct:depth=5 ./bank_test\n";
  std::fputs(text.c_str(), stdout);
  return kNothingFound;
}

}  // namespace

void add_strategies(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("strategies", "list the ways to choose which operation goes next");
  command->callback([&chosen] { chosen = list_strategies; });
}

}  // namespace heddle::cli
