#include "report/bug.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/sha256.hpp"
#include "trace/frames.hpp"
#include "trace/words.hpp"

namespace heddle::report {
namespace {

using std::string_view;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Counts, values and addresses differ from run to run.
std::string without_numbers(string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) {
      out += text[i];
      continue;
    }
    const bool is_address = text.substr(i).starts_with("0x");
    if (is_address) ++i;
    while (i + 1 < text.size() &&
           (is_address ? std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 : is_digit(text[i + 1])))
      ++i;
    out += '#';
  }
  return out;
}

std::string place_of(const Frame& frame) {
  const bool has_line = frame.line != nullptr && frame.line->line > 0;
  if (has_line) return fmt::format("{}:{}", base_name(frame.line->file), frame.line->line);
  if (frame.line != nullptr && !frame.line->function.empty()) return frame.line->function;
  return fmt::format("{}+{:x}", base_name(frame.place->module), frame.place->offset);
}

/// The user's own frames: those of libraries differ between systems.
std::string places_of(const Trace& trace, const std::vector<std::uint32_t>& stack) {
  std::string text;
  for (const Frame& frame : frames(trace, stack))
    if (is_users(frame)) text += place_of(frame) + " ";
  return text;
}

std::string places_of_bug(const Trace& trace) {
  if (trace.verdict.kind == VerdictKind::race) {
    std::array<std::string, 2> both;
    for (std::size_t i = 0; i < both.size() && i < trace.accesses.size(); ++i)
      both[i] = places_of(trace, trace.accesses[i].stack);
    std::sort(both.begin(), both.end());  // whichever came first
    return both[0] + "| " + both[1];
  }
  const std::uint32_t who = index(trace.verdict.operation);
  if (who < trace.operations.size())
    return operation_name(trace.verdict.operation) + " " + places_of(trace, trace.operations[who].stack);
  std::string all;
  for (const TraceOperation& operation : trace.operations) all += places_of(trace, operation.stack) + "| ";
  return all;
}

/// `assertion`; of a program that exits, `exit-3`.
std::string kind_of(const Verdict& verdict) {
  constexpr string_view kCode = "exit code ";
  const std::size_t at = verdict.text().rfind(kCode);
  if (verdict.kind != VerdictKind::exited || at == string_view::npos) return std::string(name(verdict.kind));
  const string_view code = verdict.text().substr(at + kCode.size());
  return "exit-" + std::string(code.substr(0, std::min(code.find_first_not_of("0123456789"), code.size())));
}

bool is_whole_program(const TraceHeader& header) { return header.option("way") == "run"; }

/// As part of the name of a file, on any system.
std::string as_file_name(string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-';
    if (is_plain || (c == '.' && !out.empty()))
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && (out.back() == '-' || out.back() == '.')) out.pop_back();
  return out;
}

}  // namespace

std::string identity_of_bug(const Trace& trace, const std::string& test) {
  const TraceHeader& header = trace.header;
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", base_name(header.program), test, kind_of(trace.verdict),
                                 without_numbers(trace.verdict.text()), places_of_bug(trace));
  if (!is_whole_program(header)) return text;  // a test is the same whatever filter it was started with
  for (const std::string& argument : header.arguments) text += argument + "\n";
  return text;
}

std::string name_of_bug(const Trace& trace, const std::string& test) {
  constexpr std::size_t kDigits = 4;
  std::string text = as_file_name(base_name(trace.header.program));
  if (text.empty()) text = "heddle";
  if (const std::string part = as_file_name(test); !part.empty()) text += "." + part;
  return text + "." + kind_of(trace.verdict) + "." + in_hex(sha256(identity_of_bug(trace, test))).substr(0, kDigits);
}

bool same_bug(const Trace& a, const Trace& b) {
  return a.header.program == b.header.program && a.header.exploration == b.header.exploration &&
         is_whole_program(a.header) == is_whole_program(b.header) && identity_of_bug(a, "") == identity_of_bug(b, "");
}

}  // namespace heddle::report
