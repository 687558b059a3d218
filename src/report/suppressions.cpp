#include "report/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "report/text.hpp"
#include "trace/frames.hpp"

namespace heddle::report {
namespace {

using std::string_view;
using Kind = Suppression::Kind;

constexpr std::array<std::pair<string_view, Kind>, 7> kKinds = {{{"race", Kind::race},
                                                                 {"race_top", Kind::race_top},
                                                                 {"called_from_lib", Kind::called_from_lib},
                                                                 {"deadlock", Kind::unused},
                                                                 {"mutex", Kind::unused},
                                                                 {"signal", Kind::unused},
                                                                 {"thread", Kind::unused}}};

string_view trimmed(string_view text) {
  constexpr string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Does `text` match from its beginning, and up to its end if `to_end`?
bool matches_here(string_view pattern, string_view text, bool to_end) {
  std::size_t star = string_view::npos;  // after the last `*`, whose matched text ends at `resume`
  std::size_t resume = 0;
  std::size_t p = 0;
  std::size_t t = 0;
  for (;;) {
    if (p == pattern.size() && (!to_end || t == text.size())) return true;
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      resume = t;
    } else if (p < pattern.size() && t < text.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != string_view::npos && resume < text.size()) {
      p = star;
      t = ++resume;
    } else {
      return false;
    }
  }
}

bool names(const Suppression& line, const Frame& frame) {
  if (frame.place != nullptr && matches_pattern(line.pattern, frame.place->module)) return true;
  if (frame.line == nullptr) return false;
  const std::string& function = frame.line->function;
  return matches_pattern(line.pattern, function) || matches_pattern(line.pattern, short_function(function)) ||
         matches_pattern(line.pattern, frame.line->file);
}

bool names_any(const Suppression& line, const Trace& trace, const std::vector<std::uint32_t>& stack) {
  const std::vector<Frame> all = frames(trace, stack);
  return std::any_of(all.begin(), all.end(), [&](const Frame& frame) { return names(line, frame); });
}

/// Where the operation was created; null: not in the trace.
const TraceStep* creation_of(const Trace& trace, OperationId id) {
  for (const TraceStep& step : trace.steps) {
    if (step.kind != model::EventKind::create || index(step.resource) >= trace.resources.size()) continue;
    if (trace.resources[index(step.resource)].holder == id) return &step;
  }
  return nullptr;
}

bool names_variable(const Suppression& line, const Trace& trace) {
  const std::uint32_t what = index(trace.verdict.mention.what);
  return what < trace.resources.size() && matches_pattern(line.pattern, trace.resources[what].name);
}

bool covers(const Suppression& line, const Trace& trace, const TraceAccess& access) {
  const std::vector<Frame> all = frames(trace, access.stack);
  if (line.kind == Kind::race_top) return !all.empty() && names(line, all.front());
  if (line.kind == Kind::called_from_lib)
    return !all.empty() && matches_pattern(line.pattern, all.front().place->module);
  const TraceStep* const creation = creation_of(trace, access.operation);
  return names_any(line, trace, access.stack) || (creation != nullptr && names_any(line, trace, creation->stack));
}

bool covers(const Suppression& line, const Trace& trace) {
  constexpr std::size_t kOfRace = 2;  // the two accesses; next comes where their block was allocated
  for (std::size_t i = 0; i < std::min(trace.accesses.size(), kOfRace); ++i)
    if (covers(line, trace, trace.accesses[i])) return true;
  return line.kind == Kind::race && names_variable(line, trace);
}

}  // namespace

bool matches_pattern(string_view pattern, string_view text) {
  if (text.empty()) return false;
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size(); ++at)
    if (matches_here(pattern, text.substr(at), to_end))
      return true;
    else if (from_start)
      break;
  return false;
}

std::string Suppressions::read(const std::string& path, const std::string& program) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool is_here = fs::path(path).is_absolute() || fs::exists(path, ignored);
  const fs::path beside = fs::path(program).parent_path() / path;
  std::ifstream file(is_here ? fs::path(path) : beside, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) return "the suppressions in " + path + " cannot be read";
  return parse(text, path);
}

std::string Suppressions::parse(string_view text, const std::string& file) {
  file_ = file;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const string_view line = trimmed(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(),
                                          [&](const auto& known) { return known.first == line.substr(0, colon); });
    if (kind == kKinds.end() || colon + 1 >= line.size())
      return fmt::format(
          "{}:{}: expected a suppression such as race:pattern, race_top:pattern or called_from_lib:pattern, got `{}`",
          file, number, line);
    if (kind->second == Kind::unused)
      return fmt::format(
          "{}:{}: `{}`: heddle suppresses races only (race:, race_top:, called_from_lib:); remove this line, or name "
          "another file with --suppressions or HEDDLE_SUPPRESSIONS{}",
          file, number, line, line.starts_with("mutex:") ? "; --allow permits misuses of a lock" : "");
    all_.push_back({kind->second, std::string(line.substr(colon + 1)), std::string(line), number, 0});
  }
  return {};
}

bool Suppressions::suppresses(const Trace& trace) {
  const auto line =
      std::find_if(all_.begin(), all_.end(), [&](const Suppression& candidate) { return covers(candidate, trace); });
  if (line == all_.end()) return false;
  ++line->races;
  return true;
}

std::uint64_t Suppressions::races() const {
  std::uint64_t sum = 0;
  for (const Suppression& line : all_) sum += line.races;
  return sum;
}

std::string Suppressions::summary() const {
  std::string text;
  for (const Suppression& line : all_)
    if (line.races > 0)
      text += fmt::format("{}{} by {} ({}:{})", text.empty() ? "suppressed: " : ", ", with_commas(line.races),
                          line.text, base_name(file_), line.line);
  return text;
}

std::string suppressions_in(const char* options) {
  constexpr string_view kSeparators = " ,:\t\n\r";
  constexpr string_view kName = "suppressions=";
  string_view rest = options != nullptr ? options : "";
  while (!rest.empty()) {
    const std::size_t begin = std::min(rest.find_first_not_of(kSeparators), rest.size());
    rest.remove_prefix(begin);
    const bool is_it = rest.starts_with(kName);
    const std::size_t value = std::min(rest.find('='), rest.size());
    const char quote =
        value + 1 < rest.size() && (rest[value + 1] == '"' || rest[value + 1] == '\'') ? rest[value + 1] : 0;
    const std::size_t first = value + (quote != 0 ? 2 : 1);
    std::size_t end = quote != 0 ? rest.find(quote, first) : rest.find_first_of(kSeparators);
    end = std::min(end, rest.size());
    if (is_it) return std::string(rest.substr(first, end - first));
    rest.remove_prefix(std::min(end + (quote != 0 ? 1 : 0), rest.size()));
  }
  return {};
}

}  // namespace heddle::report
