// The program `heddle`: finds the command and runs it.
#include <sys/auxv.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/machine_limit.hpp"
#include "cli/run.hpp"
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
    "  heddle show bank.assertion.7f3a.trace     what went wrong, and the steps that led there\n"
    "  heddle replay bank.assertion.7f3a.trace   run it again along the same schedule\n"
    "  heddle strategies                ways to choose which operation goes next\n"
    "  heddle c++ -O2 -o bank bank.cpp  build a program whose accesses to memory heddle sees (docs/instrument.md)\n"
    "\n"
    "A test that calls heddle::explore takes options from the environment:\n"
    "  HEDDLE_STRATEGY=pct:depth=5 HEDDLE_SEED=8 HEDDLE_EXECUTIONS=1000000 ./bank_test\n"
    "\n"
    "Exit codes: 0 nothing found, 1 wrong use, 2 a bug was found, 3 a fault in heddle itself, 4 the machine\n"
    "refused something that heddle needs (a limit of processes, memory, open files; room on a disk).";

/// Removes everything after `--` from the command line.
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
  add_replay(app, program, chosen);
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

/// The message if the user's first word is neither an option nor a command.
std::string unknown_command(const CLI::App& app, int count, char** words) {
  const std::vector<std::string> names = command_names(app);
  if (count < 2 || words[1][0] == '-' || std::count(names.begin(), names.end(), words[1]) > 0) return {};
  std::string text = "there is no command `" + std::string(words[1]) + "`; there are ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// CLI11 starts its sentences with a capital letter; names in capitals are kept.
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

int refuse(std::string_view message) {
  if (!message.empty()) std::fprintf(stderr, "heddle: %.*s\n", static_cast<int>(message.size()), message.data());
  return kRefused;
}

namespace {

/// A `heddle` that is set-uid or set-gid runs with rights that its caller does not have: the caller must not steer it,
/// nor the libraries and programs that it uses.
void distrust_environment() {
  if (getauxval(AT_SECURE) == 0) return;
  clearenv();
  setenv("PATH", "/usr/bin:/bin", 1);
}

}  // namespace

std::string why_not_written(int error) {
  return error == ELOOP ? ": it is a symbolic link; name the file itself" : std::string();
}

int fail(std::string_view message) {
  std::fprintf(stderr, "heddle: %s\n", printable_lines(message).c_str());
  return kWrongUse;
}

}  // namespace heddle::cli

int main(int count, char** words) {
  heddle::cli::distrust_environment();
  try {
    // To exceed the user's limit of file sizes is an error like any other. A handler, because programs inherit what is
    // ignored.
    if (std::signal(SIGXFSZ, [](int) {}) == SIG_IGN) std::signal(SIGXFSZ, SIG_IGN);
    return heddle::cli::run(count, words);
  } catch (const heddle::cli::MachineLimit& limit) {
    return heddle::cli::refuse(limit.what());
  } catch (const std::bad_alloc&) {
    return heddle::cli::refuse("cannot get more memory for the command itself.");
  } catch (const std::exception& error) {
    return heddle::cli::fault(error.what());
  }
}
