#include "options/types.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <span>

namespace heddle::options {
namespace {

using std::string_view;

// Indexed by the enumerator.
constexpr string_view kAnswers[] = {"no", "yes"};
constexpr string_view kTimePolicies[] = {"choice", "patient"};
constexpr string_view kRaces[] = {"report", "promote", "ignore"};
constexpr string_view kStandards[] = {"c++11", "c++14", "c++17", "c++20"};
constexpr string_view kIsolations[] = {"auto", "prefix", "fork", "rewind"};
constexpr string_view kExecutors[] = {"carrier", "baton"};
static_assert(std::size(kRaces) == static_cast<std::size_t>(engine::Races::kCount));
static_assert(std::size(kStandards) == static_cast<std::size_t>(engine::Standard::kCount));

constexpr double kSecondsMax = 1e9;

/// `report, promote or ignore`.
std::string list_of(std::span<const string_view> words) {
  std::string list(words[0]);
  for (std::size_t i = 1; i < words.size(); ++i) list.append(i + 1 == words.size() ? " or " : ", ").append(words[i]);
  return list;
}

std::string must_be(const std::string& allowed, string_view text) {
  return "must be " + allowed + ", not `" + std::string(text) + "`";
}

template <typename Value>
std::string parse_word(std::span<const string_view> words, string_view text, Value& value) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) return must_be(list_of(words), text);
  value = static_cast<Value>(found - words.begin());
  return {};
}

template <typename Value>
std::string print_word(std::span<const string_view> words, Value value) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

/// The whole text must be a number.
template <typename Number>
bool read_number(string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

/// Calls `use` with each word of a comma-separated list, until it returns false.
template <typename Use>
bool for_each_word(string_view list, Use use) {
  while (!list.empty()) {
    const std::size_t length = std::min(list.find(','), list.size());
    if (!use(list.substr(0, length))) return false;
    list.remove_prefix(std::min(length + 1, list.size()));
  }
  return true;
}

std::string all_misuses() {
  std::string text;
  for (unsigned i = 0; i < static_cast<unsigned>(model::Misuse::kCount); ++i)
    text.append(i == 0 ? "" : ", ").append(name(static_cast<model::Misuse>(i)));
  return text;
}

}  // namespace

std::string parse(string_view text, bool& value) { return parse_word(kAnswers, text, value); }
std::string parse(string_view text, engine::TimePolicy& value) { return parse_word(kTimePolicies, text, value); }
std::string parse(string_view text, engine::Races& value) { return parse_word(kRaces, text, value); }
std::string parse(string_view text, engine::Standard& value) { return parse_word(kStandards, text, value); }
std::string parse(string_view text, IsolationMode& value) { return parse_word(kIsolations, text, value); }
std::string parse(string_view text, ExecutorKind& value) { return parse_word(kExecutors, text, value); }

std::string print(bool value) { return print_word(kAnswers, value); }
std::string print(engine::TimePolicy value) { return print_word(kTimePolicies, value); }
std::string print(engine::Races value) { return print_word(kRaces, value); }
std::string print(engine::Standard value) { return print_word(kStandards, value); }
std::string print(IsolationMode value) { return print_word(kIsolations, value); }
std::string print(ExecutorKind value) { return print_word(kExecutors, value); }

std::string parse(string_view text, std::uint64_t& value) {
  std::uint64_t number = 0;
  if (!read_number(text, number)) return must_be("a whole number", text);
  value = number;
  return {};
}

std::string print(std::uint64_t value) { return std::to_string(value); }

std::string parse(string_view text, double& value) {
  double seconds = 0;
  const bool is_number = read_number(text, seconds);
  if (!is_number || !(seconds >= 0 && seconds <= kSecondsMax))  // also rejects infinity and NaN
    return must_be("a number of seconds from 0 to 1000000000", text);
  value = seconds;
  return {};
}

std::string print(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string parse(string_view text, Text& value) {
  if (text.size() >= sizeof value) return "is longer than " + std::to_string(sizeof value - 1) + " characters";
  std::memcpy(value, text.data(), text.size());
  value[text.size()] = '\0';
  return {};
}

std::string print(const Text& value) { return value; }

std::string parse(string_view text, ExitCodes& value) {
  ExitCodes codes;
  const bool is_right = !text.empty() && for_each_word(text, [&codes](string_view word) {
    int code = -1;
    if (!read_number(word, code) || code < 0 || code >= ExitCodes::kCount) return false;
    codes.add(code);
    return true;
  });
  if (!is_right) return must_be("exit codes from 0 to 255 with commas between them", text);
  value = codes;
  return {};
}

std::string print(const ExitCodes& value) {
  std::string text;
  for (int code = 0; code < ExitCodes::kCount; ++code)
    if (value.has(code)) text += (text.empty() ? "" : ",") + std::to_string(code);
  return text;
}

std::string parse(string_view text, model::MisuseSet& value) {
  string_view unknown;
  const model::MisuseSet set = model::misuses_in(text, unknown);
  if (!unknown.empty())
    return "names `" + std::string(unknown) + "`, which is not a misuse; there are " + all_misuses();
  value = set;
  return {};
}

std::string print(const model::MisuseSet& value) {
  std::string text;
  for (unsigned i = 0; i < static_cast<unsigned>(model::Misuse::kCount); ++i)
    if (const auto misuse = static_cast<model::Misuse>(i); value.has(misuse))
      text.append(text.empty() ? "" : ",").append(name(misuse));
  return text;
}

std::string parse_points(string_view text, Values& values) {
  const bool refines = text == "auto";
  const engine::Points points = refines ? engine::Points::racy : engine::points_named(text);
  if (points == engine::Points::kCount) return must_be("auto, sync, release, atomic, racy or all", text);
  values.refines = refines;
  values.points = points;
  return {};
}

std::string print_points(const Values& values) { return values.refines ? "auto" : std::string(name(values.points)); }

std::string parse_choices(string_view text, Values& values) {
  const bool spares = text == "auto";
  const engine::Choices choices = spares ? engine::Choices::all : engine::choices_named(text);
  if (choices == engine::Choices::kCount) return must_be("auto, all or needed", text);
  values.spares = spares;
  values.choices = choices;
  return {};
}

std::string print_choices(const Values& values) { return values.spares ? "auto" : std::string(name(values.choices)); }

}  // namespace heddle::options
