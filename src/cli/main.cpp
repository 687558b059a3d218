// The program `heddle`: finds the command and runs it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/version.hpp"

namespace heddle::cli {
namespace {

const char* const kDescription =
    "heddle takes over the scheduling of a concurrent program, finds the schedule that breaks it, and replays it.\n"
    "Give it a program, or a test that calls heddle::explore and is linked with libheddle. Each bug leaves a trace "
    "file.";

const char* const kExamples =
    "Examples:\n"
    "  heddle run ./server_test         explore an unmodified program (docs/run.md)\n"
    "  heddle run --time 60 --same-output -- sort --parallel=4 lines\n"
    "  heddle show bank.1.trace         what went wrong, and the steps that led there\n"
    "  heddle replay bank.1.trace       run it again along the same schedule\n"
    "  heddle strategies                ways to choose which operation goes next\n"
    "  heddle c++ -O2 -o bank bank.cpp  build a program whose accesses to memory heddle sees (docs/instrument.md)\n"
    "\n"
    "A test that calls heddle::explore takes options from the environment:\n"
    "  HEDDLE_STRATEGY=pct:depth=5 HEDDLE_SEED=8 HEDDLE_EXECUTIONS=1000000 ./bank_test\n"
    "\n"
    "Exit codes: 0 nothing found, 1 wrong use, 2 a bug was found, 3 a fault in heddle itself.";

/// Takes what stands after `--` away from the command line.
std::vector<std::string> cut_at_dashes(int& count, char** words) {
  char** const end = words + count;
  char** const dashes = std::find_if(words, end, [](const char* word) { return std::strcmp(word, "--") == 0; });
  if (dashes == end) return {};
  count = static_cast<int>(dashes - words);
  return {dashes + 1, end};
}

void describe(CLI::App& app, const std::vector<std::string>& program, Action& chosen) {
  app.name("heddle");
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("heddle ") + kVersion, "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.require_subcommand(0, 1);
  add_run(app, program, chosen);
  add_replay(app, chosen);
  add_show(app, chosen);
  add_chart(app, chosen);
  add_strategies(app, chosen);
  add_compile(app);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// If the user's first word is neither an option nor a command: what to say about it.
std::string unknown_command(const CLI::App& app, int count, char** words) {
  const std::vector<std::string> names = command_names(app);
  if (count < 2 || words[1][0] == '-' || std::count(names.begin(), names.end(), words[1]) > 0) return {};
  std::string text = "there is no command `" + std::string(words[1]) + "`; there are ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// CLI11 begins its sentences with a capital; names in capitals stay.
std::string in_the_middle(std::string text) {
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

int wrong_use(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string help = "heddle " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help";
  return fail(in_the_middle(error.what()) + "; see " + help);
}

int run(int count, char** words) {
  if (is_compile(count, words)) return compile(count, words);
  CLI::App app(kDescription);
  Action chosen;
  const std::vector<std::string> program = cut_at_dashes(count, words);
  describe(app, program, chosen);
  if (const std::string unknown = unknown_command(app, count, words); !unknown.empty()) return fail(unknown);
  try {
    app.parse(count, words);
    if (chosen) return chosen();
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return wrong_use(app, error);
  }
  std::fputs(app.help().c_str(), stderr);
  return kWrongUse;
}

}  // namespace

int fail(std::string_view message) {
  std::fprintf(stderr, "heddle: %.*s\n", static_cast<int>(message.size()), message.data());
  return kWrongUse;
}

}  // namespace heddle::cli

int main(int count, char** words) {
  try {
    return heddle::cli::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: this is a fault in heddle itself: %s\n", error.what());
    return heddle::cli::kFault;
  }
}
