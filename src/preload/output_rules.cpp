#include "preload/output_rules.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "base/hash.hpp"
#include "base/raw.hpp"
#include "preload/forked_copy.hpp"
#include "runtime/kernel_calls/traps.hpp"

namespace heddle::preload {
namespace {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kGolden;
  return mix(hash);
}

/// The first line that differs, counted from 1.
std::size_t first_different_line(std::string_view a, std::string_view b) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n';
  return line;
}

}  // namespace

OutputRules::OutputRules(const Streams& streams, const Channel& channel)
    : streams_(streams), request_(channel.request) {
  if (request_.fail_on_output[0] != '\0')
    pattern_ = std::regex(request_.fail_on_output, std::regex::ECMAScript | std::regex::multiline);
}

engine::ExecutionResult OutputRules::filter(const engine::ExecutionResult& result, const engine::Finished&) {
  if (result.verdict->kind != VerdictKind::passed) return result;
  const std::string wrong = objection(result);
  if (wrong.empty()) return result;
  verdict_ = *result.verdict;
  verdict_.kind = VerdictKind::failed;
  verdict_.set_text(wrong);
  engine::ExecutionResult failed = result;
  failed.verdict = &verdict_;
  return failed;
}

std::string OutputRules::objection(const engine::ExecutionResult& result) {
  if (request_.steps_allowed != 0 && result.steps > request_.steps_allowed)
    return "it took " + std::to_string(result.steps) + " steps, and " + std::to_string(request_.steps_allowed) +
           " are allowed";
  const bool looks_at_output = request_.same_output || request_.fail_on_output[0] != '\0' || request_.oracle[0] != '\0';
  if (!looks_at_output) return {};
  const std::string text = streams_.output();
  if (request_.same_output && !has_first_) {
    has_first_ = true;
    first_output_ = text;
    first_schedule_.assign(result.schedule.begin(), result.schedule.end());
  }
  const auto [known, is_new] = judged_.try_emplace(hash_of(text + '\0' + streams_.errors()));
  if (is_new) known->second = objection_to_output(text);
  return known->second;
}

std::string OutputRules::objection_to_output(const std::string& text) {
  std::smatch match;
  if (request_.fail_on_output[0] != '\0') {
    const std::string all = text + streams_.errors();
    if (std::regex_search(all, match, pattern_)) return "the output has `" + match.str().substr(0, 100) + "`";
  }
  if (request_.oracle[0] != '\0' && !oracle_accepts()) return "the command that judges the output rejects it";
  if (request_.same_output && text != first_output_) {
    saw_another_output_ = true;
    return "the output differs from that of the first execution, first in line " +
           std::to_string(first_different_line(text, first_output_));
  }
  return {};
}

/// The oracle command gets the output on its standard input, and paths in HEDDLE_OUTPUT and HEDDLE_ERRORS.
bool OutputRules::oracle_accepts() const {
  const int child = fork_copy();
  if (child == 0) {
    runtime::traps.leave();  // another program keeps what the kernel was told of the processor's clock
    char output_path[40];
    char errors_path[40];
    std::snprintf(output_path, sizeof output_path, "HEDDLE_OUTPUT=/proc/%d/fd/%d", getppid(), request_.output);
    std::snprintf(errors_path, sizeof errors_path, "HEDDLE_ERRORS=/proc/%d/fd/%d", getppid(), request_.errors);
    const int input = ::open(output_path + sizeof "HEDDLE_OUTPUT=" - 1, O_RDONLY);
    const int nothing = ::open("/dev/null", O_WRONLY);
    dup2(input, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    std::array<const char*, 4> words = {"/bin/sh", "-c", request_.oracle, nullptr};
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
    variables.insert(variables.end(), {output_path, errors_path, nullptr});
    raw::syscall6(SYS_execve, reinterpret_cast<long>(words[0]), reinterpret_cast<long>(words.data()),
                  reinterpret_cast<long>(variables.data()), 0, 0, 0);
    raw::exit_process(127);
  }
  return wait_for_copy(child) == 0;
}

}  // namespace heddle::preload
