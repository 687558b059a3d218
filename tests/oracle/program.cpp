#include "oracle/program.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace heddle::oracle {
namespace {

struct Form {
  std::string_view name;
  int operands;
};

constexpr std::array<Form, static_cast<std::size_t>(Op::kCount)> kForms = {{
    {"load", 1},           {"store", 2},         {"add", 2},
    {"choose", 1},         {"skip_if", 2},       {"assert_is", 1},
    {"yield", 0},          {"sleep", 0},         {"now", 0},
    {"publish", 1},        {"later", 1},         {"lock", 1},
    {"try_lock", 1},       {"timed_lock", 1},    {"unlock", 1},
    {"consistent", 1},     {"spin_lock", 1},     {"spin_try", 1},
    {"spin_unlock", 1},    {"read_lock", 1},     {"try_read", 1},
    {"timed_read", 1},     {"write_lock", 1},    {"try_write", 1},
    {"timed_write", 1},    {"rw_unlock", 1},     {"acquire", 1},
    {"try_acquire", 1},    {"timed_acquire", 1}, {"post", 1},
    {"value_of", 1},       {"wait", 2},          {"timed_wait", 2},
    {"signal", 1},         {"broadcast", 1},     {"arrive", 1},
    {"once", 1},           {"futex_wait", 2},    {"futex_timed_wait", 2},
    {"futex_wake", 2},     {"futex_set", 2},     {"create", 1},
    {"join", 1},           {"try_join", 1},      {"timed_join", 1},
    {"detach", 1},         {"cancel", 1},        {"test_cancel", 0},
    {"cancel_state", 1},   {"leave", 0},         {"exit", 1},
    {"immediate_exit", 1}, {"quick_exit", 1},    {"abort", 0},
}};
constexpr std::string_view kKinds = "nrco";  // the letters of MutexKind

const Form& form(Op op) { return kForms[static_cast<std::size_t>(op)]; }

std::string to_text(const Instruction& instruction) {
  std::string text(form(instruction.op).name);
  if (form(instruction.op).operands > 0) text += " " + std::to_string(instruction.a);
  if (form(instruction.op).operands > 1) text += " " + std::to_string(instruction.b);
  return text;
}

std::optional<Instruction> parse_instruction(const std::string& text) {
  std::istringstream words(text);
  std::string wanted;
  int a = 0, b = 0;
  words >> wanted >> a >> b;
  for (std::size_t i = 0; i < kForms.size(); ++i)
    if (kForms[i].name == wanted)
      return Instruction{static_cast<Op>(i), static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
  return std::nullopt;
}

/// `mutexes=nn semaphores=00 barriers=22 whole=0`
bool parse_objects(const std::string& line, Program& program) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return false;
    const std::string what = word.substr(0, equals), values = word.substr(equals + 1);
    if (what == "whole") program.whole = values == "1";
    for (std::size_t i = 0; what != "whole" && i < values.size() && i < kObjects; ++i) {
      const auto digit = static_cast<std::uint8_t>(values[i] - '0');
      if (what == "mutexes") program.mutexes[i] = static_cast<MutexKind>(kKinds.find(values[i]));
      if (what == "semaphores") program.semaphores[i] = digit;
      if (what == "barriers") program.barriers[i] = digit;
    }
  }
  return true;
}

bool parse_thread(const std::string& line, Program& program) {
  std::vector<Instruction> thread;
  std::istringstream rest(line.substr(line.find(':') + 1));
  for (std::string part; std::getline(rest, part, ',');) {
    if (part.find_first_not_of(' ') == std::string::npos) continue;
    const auto instruction = parse_instruction(part);
    if (!instruction || thread.size() == kLength) return false;
    thread.push_back(*instruction);
  }
  program.threads.push_back(thread);
  return program.threads.size() <= kThreads;
}

}  // namespace

std::string_view name(Op op) { return form(op).name; }

bool uses(const Program& program, std::initializer_list<Op> ops) {
  for (const auto& thread : program.threads)
    for (const Instruction& instruction : thread)
      if (std::find(ops.begin(), ops.end(), instruction.op) != ops.end()) return true;
  return false;
}

std::size_t size(const Program& program) {
  std::size_t total = 0;
  for (const auto& thread : program.threads) total += thread.size();
  return total;
}

std::string to_text(const Program& program) {
  std::string text = "mutexes=";
  for (const MutexKind kind : program.mutexes) text += kKinds[static_cast<std::size_t>(kind)];
  text += " semaphores=";
  for (const std::uint8_t value : program.semaphores) text += std::to_string(value);
  text += " barriers=";
  for (const std::uint8_t parties : program.barriers) text += std::to_string(parties);
  text += program.whole ? " whole=1\n" : " whole=0\n";
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    text += "T" + std::to_string(i) + ":";
    for (std::size_t at = 0; at < program.threads[i].size(); ++at)
      text += (at == 0 ? " " : ", ") + to_text(program.threads[i][at]);
    text += "\n";
  }
  return text;
}

std::optional<Program> parse(std::string_view text) {
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), ';', '\n');
  std::istringstream input(lines);
  Program program;
  for (std::string line; std::getline(input, line);) {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    const bool is_thread = line.find(':') != std::string::npos;
    if (!(is_thread ? parse_thread(line, program) : parse_objects(line, program))) return std::nullopt;
  }
  if (program.threads.empty()) return std::nullopt;
  return program;
}

std::string to_text(const Program& program, const Outcome& outcome) {
  static constexpr std::string_view kEnds[] = {"ok", "deadlock", "assertion", "exit", "abort", "other"};
  std::string text(kEnds[static_cast<std::size_t>(outcome.end)]);
  if (outcome.end == End::assertion)
    text += " of T" + std::to_string(outcome.thread) + " at instruction " + std::to_string(outcome.detail);
  if (outcome.end == End::exited || outcome.end == End::other) text += " " + std::to_string(outcome.detail);
  if (outcome.values.empty()) return text;
  std::size_t at = 0;
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    text += "  T" + std::to_string(i) + ":";
    for (std::size_t n = 0; n < program.threads[i].size(); ++n, ++at)
      text += outcome.values[at] == kNotRun ? " -" : " " + std::to_string(outcome.values[at]);
  }
  text += "  memory:";
  for (; at < outcome.values.size(); ++at) text += " " + std::to_string(outcome.values[at]);
  return text;
}

}  // namespace heddle::oracle
