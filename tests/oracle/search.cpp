#include "oracle/search.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>

#include "oracle/child.hpp"
#include "oracle/shrink.hpp"

namespace heddle::oracle {
namespace {

constexpr unsigned kSecondsOfOne = 20;

/// What a difference is, in one letter: the small program must differ in the same way as the large one.
enum class Kind : char { none = '-', misses = 'm', impossible = 'i', dies = 'd', too_large = 'l' };

struct Judged {
  Kind kind = Kind::none;
  std::string text;
};

Judged judge(const Program& program, const std::string& strategy, const Bounds& bounds, On executor) {
  const Answer answer = in_child(kSecondsOfOne, [&](const Say& say) {
    const Comparison comparison = compare(program, strategy, bounds, executor);
    if (comparison.result == Compared::too_large) say("l  " + strategy + ": the program is too large\n");
    if (comparison.result == Compared::misses) say("m" + comparison.text);
    if (comparison.result == Compared::shows_impossible) say("i" + comparison.text);
  });
  if (answer.died) return {Kind::dies, "  " + strategy + " died:" + answer.text};
  if (answer.text.empty()) return {};
  return {static_cast<Kind>(answer.text[0]), answer.text.substr(1)};
}

std::string explain(const Program& program, const std::string& strategy, const Plan& plan) {
  const auto kind = [&](const Program& one) { return judge(one, strategy, plan.bounds, plan.executor).kind; };
  const Kind wanted = kind(program);
  if (wanted == Kind::none) return to_text(program) + "  " + strategy + " differs, but not in a process of its own\n";
  const Program small = shrink(program, [&](const Program& one) { return kind(one) == wanted; });
  return to_text(small) + judge(small, strategy, plan.bounds, plan.executor).text;
}

/// What a child says of its work, a line each: `S seed strategy` before a comparison, `D` if it differs, `C` if it was
/// made.
struct Progress {
  std::uint64_t seed = 0;
  std::string strategy;
  std::uint64_t compared = 0;
  bool differs = false;
};

Progress read_progress(const std::string& text) {
  Progress progress;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "S") words >> progress.seed >> progress.strategy;
    if (what == "C") ++progress.compared;
    if (what == "D") progress.differs = true;
  }
  return progress;
}

/// Until the first difference.
void compare_many(const Plan& plan, std::uint64_t from, const std::string& after, const Say& say) {
  bool skips = !after.empty();  // up to and with that strategy, of the first program
  for (std::uint64_t seed = from; seed < plan.first_seed + plan.programs; ++seed) {
    const Program program = generate(plan.theme, seed);
    for (const std::string& strategy : plan.strategies) {
      if (skips) {
        skips = strategy != after;
        continue;
      }
      say("S " + std::to_string(seed) + " " + strategy + "\n");
      const Compared result = compare(program, strategy, plan.bounds, plan.executor).result;
      if (result == Compared::too_large) break;  // the others need as many executions, or nearly
      say("C\n");
      if (result == Compared::same) continue;
      say("D\n");
      return;
    }
    skips = false;
  }
}

}  // namespace

Searched search(const Plan& plan) {
  Searched searched;
  std::uint64_t from = plan.first_seed;
  std::string after;
  while (searched.findings.size() < plan.findings_max) {
    const Answer answer = in_child(plan.seconds_max, [&](const Say& say) { compare_many(plan, from, after, say); });
    const Progress progress = read_progress(answer.text);
    searched.compared += progress.compared;
    if (!answer.died && !progress.differs) break;
    const std::string finding = explain(generate(plan.theme, progress.seed), progress.strategy, plan);
    if (std::find(searched.findings.begin(), searched.findings.end(), finding) == searched.findings.end())
      searched.findings.push_back(finding);
    from = progress.seed;
    after = progress.strategy;
  }
  return searched;
}

std::string difference(const Program& program, const std::string& strategy, const Bounds& bounds, On executor) {
  return judge(program, strategy, bounds, executor).text;
}

}  // namespace heddle::oracle
