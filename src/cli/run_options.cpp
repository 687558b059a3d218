#include "cli/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "options/table.hpp"
#include "report/text.hpp"
#include "strategy/table.hpp"

namespace heddle::cli {
namespace {

/// With its dashes, as the user types it.
std::string typed_name(const options::Option& option) { return fmt::format("--{}", option.name); }

void set(const options::Option& option, options::Values& values, std::string_view text) {
  if (const std::string wrong = option.field.set(values, text); !wrong.empty())
    throw CLI::ValidationError(typed_name(option) + " " + wrong, CLI::ExitCodes::ValidationError);
}

void describe(CLI::App& command, const options::Option& option, options::Values& values) {
  const std::string names = (option.letter.empty() ? "" : fmt::format("-{},", option.letter)) + typed_name(option);
  const std::string help(option.help);
  if (option.argument.empty()) {
    command.add_flag_callback(
        names, [&option, &values] { set(option, values, option.flag); }, help);
    return;
  }
  const auto take = [&option, &values](const std::string& text) { set(option, values, text); };
  command.add_option_function<std::string>(names, take, help)->type_name(std::string(option.argument));
}

}  // namespace

void describe_options(CLI::App& command, options::Values& values) {
  for (const options::Option& option : options::table())
    if (!option.name.empty()) describe(command, option, values);
}

std::string objection(const RunOptions& options) {
  const options::Values& values = options.values;
  if (const std::string& first = options.words[0]; first.size() > 1 && first[0] == '-')
    return fmt::format("there is no option {}; see heddle run --help", first);
  if (const strategy::Parsed parsed = strategy::parse(values.strategy); !parsed.strategy) return parsed.error;
  if (std::error_code ignored; !std::filesystem::is_directory(values.trace_directory, ignored))
    return fmt::format("there is no folder {} for the traces", values.trace_directory);
  return {};
}

std::string go_on_line(const RunOptions& options) {
  std::string line = fmt::format("heddle run --time 60 --seed {}", options.values.seed + 1);
  for (const options::Option& option : options::table()) {
    if (!option.goes_on || is_usual(option, options.values)) continue;
    line += " " + typed_name(option);
    if (!option.argument.empty()) line += " " + report::shell_word(option.field.text(options.values));
  }
  line += " -- " + report::shell_word(options.typed);
  for (std::size_t i = 1; i < options.words.size(); ++i) line += " " + report::shell_word(options.words[i]);
  return line;
}

}  // namespace heddle::cli
