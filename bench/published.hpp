// Tables 2 to 4 of the QL paper (Mukherjee, Deligiannis, Biswas and Lal, OOPSLA 2020): of so many invocations of at
// most 10,000 executions each, how many find the bug? Beside the figures of the paper.
//
//   build/bench/<table> [invocations [program [strategy]]]     a table; the paper has 100 invocations
//
// Invocation n has seed n: the figures are the same on every machine. Where the random walk does better than the
// paper's, our version of the program is easier than theirs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"

namespace bench {

inline constexpr double kNotGiven = -1;

struct PublishedStrategy {
  const char* name;       // heddle's
  const char* published;  // the paper's; empty: not in the paper
};
/// First those of the paper, in the order in which a row has their figures.
inline constexpr PublishedStrategy kStrategies[] = {{"ql", "QL^d"},
                                                    {"ql_ndn", "QL^d-NDN"},
                                                    {"ql_basic", "QL^b"},
                                                    {"ql_inbox", "QL^i"},
                                                    {"ql_custom", "QL^c"},
                                                    {"random", "Random"},
                                                    {"greedy", "Greedy"},
                                                    {"pct:depth=3", "PCT-3"},
                                                    {"pct:depth=10", "PCT-10"},
                                                    {"pct:depth=30", "PCT-30"},
                                                    {"statedelay", "IDB"},
                                                    {"ql:divide=1", ""},
                                                    {"ql_custom:divide=1", ""},
                                                    {"avoid", ""},
                                                    {"avoid_inbox", ""}};
inline constexpr std::size_t kPublished = 11;

struct PublishedProgram {
  const char* name;
  heddle::Body body;
  std::uint64_t steps_max;
  double published[kPublished];
};

/// How many percent of the invocations find the bug.
inline double found(const PublishedProgram& program, const char* strategy, int invocations) {
  int count = 0;
  for (int seed = 1; seed <= invocations; ++seed) {
    heddle::Options options;
    options.strategy = strategy;
    options.seed = static_cast<std::uint64_t>(seed);
    options.executions = 10'000;
    options.steps_max = program.steps_max;
    options.output = heddle::Output::quiet;
    options.trace_directory.clear();
    count += heddle::try_explore(program.body, options).bug_found;
  }
  return 100.0 * count / invocations;
}

/// The program `build/bench/<table>`.
inline int print_published(const std::string& table, const std::vector<PublishedProgram>& programs, int argc,
                           char** argv) {
  const bool is_json = argc == 3 && std::strcmp(argv[1], "--json") == 0;
  const int invocations = argc > 1 && !is_json ? std::atoi(argv[1]) : 4;
  const char* const only_program = argc > 2 && !is_json ? argv[2] : nullptr;
  const char* const only_strategy = argc > 3 ? argv[3] : nullptr;
  if (invocations <= 0) {
    std::fprintf(stderr, "%s: the first argument is the number of invocations, as in `%s 100`\n", argv[0], argv[0]);
    return 1;
  }
  Figures figures;
  for (const PublishedProgram& program : programs) {
    if (only_program != nullptr && std::strcmp(only_program, program.name) != 0) continue;
    for (std::size_t i = 0; i < std::size(kStrategies); ++i) {
      const PublishedStrategy& strategy = kStrategies[i];
      if (only_strategy != nullptr && std::strcmp(only_strategy, strategy.name) != 0) continue;
      const double share = found(program, strategy.name, invocations);
      const double published = i < kPublished ? program.published[i] : kNotGiven;
      const std::string name = table + "/" + program.name + "_" + strategy.name;
      figures.add(name, share, "%");
      if (published != kNotGiven) figures.add(name + "_in_paper", published, "%");
      if (is_json) continue;
      std::printf("%-19s %-18s %5.0f %%   %-9s", program.name, strategy.name, share, strategy.published);
      if (published != kNotGiven) std::printf(" %5.0f %%", published);
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  return is_json ? figures.write(argc, argv) : 0;
}

}  // namespace bench
