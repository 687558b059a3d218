// Looks for programs that heddle's searches do not explore completely, and prints each, made as small as it gets.
//
//   oracle_hunt THEME|all-themes PROGRAMS [STRATEGY] [FINDINGS] [FIRST_SEED]
//   oracle_hunt "T0: create 1, join 1; T1: lock 0" [STRATEGY]                   compares this one program
#include <cstdio>
#include <cstdlib>
#include <string>

#include "oracle/search.hpp"

using namespace heddle::oracle;

namespace {

constexpr Bounds kBounds = {.states = 20'000, .executions = 4'000};

int compare_one(const Program& program, const std::string& strategy) {
  const std::string text = difference(program, strategy, {.states = 1'000'000, .executions = 1'000'000}, On::carrier);
  std::printf("%s%s", to_text(program).c_str(), text.empty() ? "  no difference\n" : text.c_str());
  return text.empty() ? 0 : 1;
}

int hunt(Plan plan) {
  const Searched searched = search(plan);
  std::printf("== %s, %s: %llu of %llu compared, %zu differ, each in its own way\n", name(plan.theme).data(),
              plan.strategies[0].c_str(), static_cast<unsigned long long>(searched.compared),
              static_cast<unsigned long long>(plan.programs), searched.findings.size());
  for (const std::string& finding : searched.findings) std::printf("%s\n", finding.c_str());
  std::fflush(stdout);
  return searched.findings.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int index, const char* fallback) { return index < argc ? argv[index] : fallback; };
  const std::string what = argument(1, "");
  if (const auto program = parse(what)) return compare_one(*program, argument(2, "dfs"));
  if (argc < 3) {
    std::fprintf(stderr,
                 "oracle_hunt THEME|all-themes PROGRAMS [STRATEGY] [FINDINGS] [FIRST_SEED]\n"
                 "oracle_hunt PROGRAM [STRATEGY]\n");
    return 1;
  }
  Plan plan;
  plan.programs = std::strtoull(argv[2], nullptr, 10);
  plan.strategies = {argument(3, "dfs")};
  plan.findings_max = std::strtoull(argument(4, "5"), nullptr, 10);
  plan.first_seed = std::strtoull(argument(5, "0"), nullptr, 10);
  plan.bounds = kBounds;
  int result = 0;
  for (int i = 0; i < static_cast<int>(Theme::kCount); ++i) {
    plan.theme = static_cast<Theme>(i);
    if (what == "all-themes" || what == name(plan.theme)) result |= hunt(plan);
  }
  return result;
}
