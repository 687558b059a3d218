// `heddle chart FILE`: shows which machine sent what to which, in the execution of a trace.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "base/new_file.hpp"
#include "cli/command.hpp"
#include "report/chart.hpp"
#include "report/terminal.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

struct ChartOptions {
  std::string file;
  std::string svg;
};

int chart(const ChartOptions& options) {
  const LoadedTrace loaded = read_trace(options.file);
  if (!loaded.trace) return fail(loaded.error);
  if (!report::has_chart(*loaded.trace))
    return fail(options.file +
                " has no messages to show: it is not of a program of state machines (see docs/actors.md)");
  if (options.svg.empty()) {
    const report::Terminal terminal = report::terminal_of(STDOUT_FILENO);
    const auto width = static_cast<std::size_t>(terminal.width);
    std::fputs(report::chart_text(*loaded.trace, report::Paint(terminal.color), width).c_str(), stdout);
    return kNothingFound;
  }
  const int error = write_output(options.svg, report::chart_svg(*loaded.trace));
  return error == 0 ? kNothingFound : fail("cannot write " + options.svg + why_not_written(error));
}

}  // namespace

void add_chart(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ChartOptions>();
  CLI::App* command =
      app.add_subcommand("chart", "print the messages of a trace of state machines as a sequence chart");
  command->add_option("FILE", options->file, "a trace file, which an exploration writes when it finds a bug")
      ->required();
  command->add_option("--svg", options->svg, "write it as a picture to this file instead");
  command->callback([options, &chosen] { chosen = [options] { return chart(*options); }; });
}

}  // namespace heddle::cli
