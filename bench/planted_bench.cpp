// How many executions it takes to find planted bugs: the portfolio against the best single strategy for each of them.
//
//   build/bench/planted [--half tuned|held] [--each n] [--depth n] [--kind name] [--trials n]
//                       [--strategies a,b,…] [--rows] [--executions n] [--every] [--json file]
//
// `each` bugs of every kind and depth, in each half. A trial is an exploration of at most 10,000 executions; one that
// finds nothing counts 10,000. The best strategy is the one with the lowest mean over the seeds 1 to n, over which the
// portfolio is measured, too; a strategy is given up as soon as it cannot be the best any more. To be the best of many
// takes luck with the seeds: `best_again` says what the ratio would be for a portfolio that always ran the best
// strategy alone, with the seeds n+1 to 2n.
//
// `--every` gives up none, and says of each strategy alone how it does: the portfolio should be better than any.
//
// `--check` measures nothing: it searches every order of the smallest programs, and fails if one has no bug. Without
// any option that comes first.
//
// Parameters are chosen by the tuned half alone (bench/split.txt): only the held half says how well they do.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"
#include "planted/bug.hpp"

namespace {

constexpr int kShallow = 3;  // up to this depth every bug should be found

struct Asked {
  std::string half;  // empty: both
  unsigned each = 1;
  int depth = kShallow;
  std::string kind;  // empty: all
  std::uint64_t trials = 10;
  std::vector<std::string> strategies;  // beside the portfolio
  std::uint64_t executions = 10'000;
  bool rows = false;
  bool every = false;
  bool check = false;
  const char* json = nullptr;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// As `heddle strategies` lists them.
std::vector<std::string> all_strategies() {
  std::vector<std::string> names;
  std::FILE* const list = popen(HEDDLE_COMMAND_PATH " strategies", "r");
  for (char line[400]; list != nullptr && std::fgets(line, sizeof line, list) != nullptr && line[0] != '\n';)
    if (line[0] != ' ') names.emplace_back(line, std::strcspn(line, " \n"));
  if (list != nullptr) pclose(list);
  std::erase(names, "portfolio");
  return names;
}

struct Trials {
  std::uint64_t executions = 0;  // in all
  std::uint64_t found = 0;       // in how many
};

/// Stops when there have been more than `most` executions in all.
Trials explore(const planted::Bug& bug, const std::string& strategy, std::uint64_t first_seed, const Asked& asked,
               std::uint64_t most) {
  Trials all;
  for (std::uint64_t i = 0; i < asked.trials && all.executions <= most; ++i) {
    heddle::Options options;
    options.strategy = strategy;
    options.seed = first_seed + i;
    options.executions = std::min(asked.executions, most + 1 - all.executions);
    options.output = heddle::Output::quiet;
    options.trace_directory.clear();
    const heddle::Result result = heddle::try_explore(bug.body, options);
    all.found += result.bug_found;
    all.executions += result.bug_found ? std::max<std::uint64_t>(result.executions, 1) : options.executions;
  }
  return all;
}

struct Row {
  planted::Bug bug;
  bool is_held;
  Trials portfolio;
  Trials best;
  Trials best_again;
  std::string best_name;
  std::vector<Trials> each;  // of each strategy, unless some were given up

  double ratio() const { return static_cast<double>(portfolio.executions) / static_cast<double>(best.executions); }
  double luck() const { return static_cast<double>(best_again.executions) / static_cast<double>(best.executions); }
};

Row measure(planted::Bug bug, bool is_held, const Asked& asked) {
  const std::uint64_t most = asked.executions * asked.trials;
  Row row = {std::move(bug), is_held, {}, {}, {}, "nothing", {}};
  row.portfolio = explore(row.bug, "portfolio", 1, asked, most);
  row.best.executions = most;
  for (const std::string& strategy : asked.strategies) {
    if (row.best.executions == asked.trials && !asked.every) break;  // it is there in every first execution
    const Trials trials = explore(row.bug, strategy, 1, asked, asked.every ? most : row.best.executions - 1);
    row.each.push_back(trials);
    if (trials.executions >= row.best.executions) continue;
    row.best = trials;
    row.best_name = strategy;
  }
  row.best_again = row.best;
  if (row.best.found > 0) row.best_again = explore(row.bug, row.best_name, asked.trials + 1, asked, most);
  return row;
}

void print(const Row& row, const Asked& asked) {
  const std::uint64_t trials = asked.trials;
  const auto mean = [&](const Trials& all) {
    return static_cast<double>(all.executions) / static_cast<double>(trials);
  };
  std::printf("%-18s %-6s%4zu threads %10.1f %3llu/%llu %10.1f %3llu/%llu %8.2f  %s\n", row.bug.name.c_str(),
              row.is_held ? "held" : "tuned", row.bug.threads, mean(row.portfolio),
              static_cast<unsigned long long>(row.portfolio.found), static_cast<unsigned long long>(trials),
              mean(row.best), static_cast<unsigned long long>(row.best.found), static_cast<unsigned long long>(trials),
              row.ratio(), row.best_name.c_str());
  for (std::size_t i = 0; asked.every && i < row.each.size(); ++i)
    std::printf("  %s %s %llu %llu\n", row.bug.name.c_str(), asked.strategies[i].c_str(),
                static_cast<unsigned long long>(row.each[i].executions),
                static_cast<unsigned long long>(row.each[i].found));
  std::fflush(stdout);
}

/// Of some bugs.
class Summary {
 public:
  void add(const Row& row, std::uint64_t trials) {
    ++bugs_;
    unfound_ += row.best.found == 0 && row.portfolio.found == 0;
    in_every_ += row.portfolio.found == trials;
    found_ += row.portfolio.found;
    best_found_ += row.best.found;
    log_ratio_ += std::log(row.ratio());
    log_luck_ += std::log(row.luck());
    worst_ = std::max(worst_, row.ratio());
  }
  double ratio() const { return std::exp(log_ratio_ / bugs_); }
  double luck() const { return std::exp(log_luck_ / bugs_); }
  double worst() const { return worst_; }
  double in_every() const { return in_every_ / bugs_; }

  void print(const std::string& name) const {
    std::printf("%-24s%6.0f%8.0f%10.0f%12.0f%10.0f%8.2f%8.2f%8.2f\n", name.c_str(), bugs_, in_every_,
                static_cast<double>(found_), static_cast<double>(best_found_), unfound_, ratio(), worst_, luck());
  }

 private:
  double bugs_ = 0, in_every_ = 0, unfound_ = 0, log_ratio_ = 0, log_luck_ = 0, worst_ = 0;
  std::uint64_t found_ = 0, best_found_ = 0;
};

void summarise(const std::vector<Row>& rows, bool is_held, const Asked& asked, bench::Figures& figures) {
  const std::string half = is_held ? "held" : "tuned";
  std::map<std::string, Summary> by_kind, by_depth;
  Summary shallow, all;
  for (const Row& row : rows) {
    if (row.is_held != is_held) continue;
    by_kind[std::string(planted::kKinds[static_cast<std::size_t>(row.bug.kind)])].add(row, asked.trials);
    by_depth["depth " + std::to_string(row.bug.depth)].add(row, asked.trials);
    if (row.bug.depth <= kShallow) shallow.add(row, asked.trials);
    all.add(row, asked.trials);
  }
  std::printf("\n%-24s%6s%8s%10s%12s%10s%8s%8s%8s\n", ("the " + half + " half").c_str(), "bugs", "always", "trials",
              "of best", "by none", "ratio", "worst", "again");
  for (const auto& [name, summary] : by_kind) summary.print(name);
  for (const auto& [name, summary] : by_depth) summary.print(name);
  shallow.print("up to depth 3");
  all.print("all");
  const auto add = [&](const char* name, double value) {
    figures.add_ratio("planted/" + half + "_" + name, value, "best strategy for each bug");
  };
  figures.add_ratio("planted/" + half + "_found_always_to_depth_3", shallow.in_every(), "bugs");
  add("over_best_to_depth_3", shallow.ratio());
  add("over_best", all.ratio());
  add("worst_to_depth_3", shallow.worst());
  add("best_again", all.luck());
}

/// How each strategy does alone, over the best for each bug.
void compare(const std::vector<Row>& rows, bool is_held, const Asked& asked) {
  std::printf("\n%-24s%10s%8s\n", "alone", "trials", "ratio");
  for (std::size_t i = 0; i < asked.strategies.size(); ++i) {
    double sum = 0, bugs = 0;
    std::uint64_t found = 0;
    for (const Row& row : rows) {
      if (row.is_held != is_held) continue;
      sum += std::log(static_cast<double>(row.each[i].executions) / static_cast<double>(row.best.executions));
      found += row.each[i].found;
      ++bugs;
    }
    std::printf("%-24s%10llu%8.2f\n", asked.strategies[i].c_str(), static_cast<unsigned long long>(found),
                std::exp(sum / bugs));
  }
}

bool understood(int argc, char** argv, Asked& asked) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    bool* const flag = word == "--rows"    ? &asked.rows
                       : word == "--every" ? &asked.every
                       : word == "--check" ? &asked.check
                                           : nullptr;
    if (flag != nullptr) {
      *flag = true;
      continue;
    }
    if (++i == argc) return false;
    const char* const value = argv[i];
    if (word == "--half" && (value == std::string("tuned") || value == std::string("held")))
      asked.half = value;
    else if (word == "--each")
      asked.each = static_cast<unsigned>(std::atoi(value));
    else if (word == "--depth")
      asked.depth = std::atoi(value);
    else if (word == "--kind")
      asked.kind = value;
    else if (word == "--trials")
      asked.trials = static_cast<std::uint64_t>(std::atoi(value));
    else if (word == "--executions")
      asked.executions = static_cast<std::uint64_t>(std::atoi(value));
    else if (word == "--strategies")
      asked.strategies = split(value);
    else if (word == "--json")
      asked.json = value;
    else
      return false;
  }
  return asked.each > 0 && asked.trials > 0;
}

/// Those that were the best for most of the bugs come first: the sooner the best is known, the sooner others are given
/// up.
void reorder(std::vector<std::string>& strategies, const std::vector<Row>& rows) {
  std::map<std::string, int> times_best;
  for (const Row& row : rows) ++times_best[row.best_name];
  std::stable_sort(strategies.begin(), strategies.end(),
                   [&](const std::string& a, const std::string& b) { return times_best[a] > times_best[b]; });
}

std::vector<Row> measure_all(Asked asked) {
  std::vector<Row> rows;
  for (std::size_t kind = 0; kind < std::size(planted::kKinds); ++kind)
    for (int depth = 1; depth <= asked.depth; ++depth)
      for (unsigned number = 0; number < 2 * asked.each; ++number) {
        const bool is_held = number % 2 == 1;
        if (!asked.kind.empty() && asked.kind != planted::kKinds[kind]) continue;
        if (!asked.half.empty() && is_held != (asked.half == "held")) continue;
        if (!asked.every) reorder(asked.strategies, rows);
        rows.push_back(measure(planted::plant(static_cast<planted::Kind>(kind), depth, number), is_held, asked));
        if (asked.rows) print(rows.back(), asked);
      }
  return rows;
}

/// Of each kind and depth the first few programs that are small: is there a schedule that breaks them? One whose
/// schedules are too many says nothing.
int check() {
  constexpr std::size_t kSmall = 3;  // threads
  constexpr unsigned kNumbers = 20;
  constexpr int kDepthMax = 2;
  int reached = 0, too_many = 0, wrong = 0;
  for (std::size_t kind = 0; kind < std::size(planted::kKinds); ++kind)
    for (int depth = 1; depth <= kDepthMax; ++depth)
      for (unsigned number = 0; number < kNumbers; ++number) {
        const planted::Bug bug = planted::plant(static_cast<planted::Kind>(kind), depth, number);
        if (bug.threads > kSmall) continue;
        heddle::Options options;
        options.strategy = "dfs:reduce=1";
        options.executions = 5'000;
        options.output = heddle::Output::quiet;
        options.trace_directory.clear();
        const heddle::Result result = heddle::try_explore(bug.body, options);
        const bool is_wrong = !result.bug_found && result.complete;
        (result.bug_found ? reached : is_wrong ? wrong : too_many) += 1;
        if (is_wrong) std::printf("%s: no schedule breaks it\n", bug.name.c_str());
      }
  std::printf("%d small programs break, of %d not every schedule was tried, %d cannot break\n", reached, too_many,
              wrong);
  return reached > 0 && wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Asked asked;
  if (!understood(argc, argv, asked)) {
    std::fprintf(stderr, "%s: see the beginning of bench/planted_bench.cpp\n", argv[0]);
    return 1;
  }
  if (asked.check) return check();
  const bool is_whole = argc == 1 || (argc == 3 && asked.json != nullptr);
  if (is_whole && check() != 0) return 1;
  if (asked.strategies.empty()) asked.strategies = all_strategies();
  const std::vector<Row> rows = measure_all(asked);
  bench::Figures figures;
  for (const bool is_held : {false, true}) {
    if (!asked.half.empty() && is_held != (asked.half == "held")) continue;
    summarise(rows, is_held, asked, figures);
    if (asked.every) compare(rows, is_held, asked);
  }
  if (asked.json == nullptr) return 0;
  char option[] = "--json";
  char* words[] = {argv[0], option, const_cast<char*>(asked.json)};
  return figures.write(3, words);
}
