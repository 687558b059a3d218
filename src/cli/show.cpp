// `heddle show FILE`: prints the report of a trace, without running anything.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/trace_json.hpp"
#include "report/failure.hpp"
#include "report/terminal.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

struct ShowOptions {
  std::string file;
  bool as_json = false;
};

std::string text_of(const Trace& trace, const std::string& file) {
  const report::Terminal terminal = report::terminal_of(STDOUT_FILENO);
  report::FailureOptions options;
  options.color = terminal.color;
  options.width = terminal.width;
  options.occasion = report::Occasion::shown;
  options.trace_path = file;
  return report::failure_report(trace, options);
}

int show(const ShowOptions& options) {
  const LoadedTrace loaded = read_trace(options.file);
  if (!loaded.trace) return fail(loaded.error);
  const std::string text = options.as_json ? to_json(*loaded.trace) : text_of(*loaded.trace, options.file);
  std::fputs(text.c_str(), stdout);
  return kNothingFound;
}

}  // namespace

void add_show(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "print the report of a trace, without running anything");
  command->add_option("FILE", options->file, "a trace file, which an exploration writes when it finds a bug")
      ->required();
  command->add_flag("--json", options->as_json, "as JSON, for other programs");
  command->callback([options, &chosen] { chosen = [options] { return show(*options); }; });
}

}  // namespace heddle::cli
