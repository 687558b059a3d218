// Tables 2 to 4 of the QL paper (Mukherjee, Deligiannis, Biswas and Lal, OOPSLA 2020), its protocols: of so many
// invocations of at most 10,000 executions each, how many find the bug? Beside the figures of the paper.
//
//   build/bench/protocols [invocations [protocol [strategy]]]     a table; the paper has 100 invocations
//
// The machines have no hash() of their own: QL^c of the paper sees some of their fields as well, while ql_custom sees
// the states and inboxes alone. Invocation n has seed n: the figures are the same on every machine.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <heddle/heddle.hpp>

#include "figures.hpp"
#include "protocols/chord.hpp"
#include "protocols/failure_detector.hpp"
#include "protocols/paxos.hpp"
#include "protocols/raft.hpp"

namespace {

constexpr double kNotGiven = -1;

struct Strategy {
  const char* name;       // heddle's
  const char* published;  // the paper's
};
constexpr Strategy kStrategies[] = {{"ql", "QL^d"},           {"ql_ndn", "QL^d-NDN"},     {"ql_basic", "QL^b"},
                                    {"ql_custom", "QL^c"},    {"random", "Random"},       {"greedy", "Greedy"},
                                    {"pct:depth=3", "PCT-3"}, {"pct:depth=10", "PCT-10"}, {"pct:depth=30", "PCT-30"},
                                    {"statedelay", "IDB"}};

struct Row {
  const char* name;
  heddle::Body body;
  std::uint64_t steps_max;
  double published[std::size(kStrategies)];
};

std::vector<Row> rows() {
  return {
      {"raft_v1",
       [] { raft::run(raft::Version::counts_votes_twice, 4); },
       1000,
       {99, 86, 99, 100, 100, 83, 0, 12, 45, 28}},
      {"raft_v2", [] { raft::run(raft::Version::counts_votes_twice, 6); }, 1000, {95, 1, 28, 100, 4, 3, 0, 0, 0, 1}},
      {"paxos", [] { paxos::run(paxos::Version::takes_the_lowest); }, 1000, {66, 19, 16, 33, 8, 20, 19, 91, 92, 33}},
      {"chord", [] { chord::run(chord::Version::one_key_is_lost); }, 1000, {34, 0, 0, 2, 0, 0, 0, 0, 0, 0}},
      {"failure_detector",
       [] { failure_detector::run(failure_detector::Version::rounds_without_number); },
       200,
       {99, kNotGiven, 0, 78, 0, 0, 11, 100, 99, 31}},
  };
}

/// Of 100.
double found(const Row& row, const char* strategy, int invocations) {
  int count = 0;
  for (int seed = 1; seed <= invocations; ++seed) {
    heddle::Options options;
    options.strategy = strategy;
    options.seed = static_cast<std::uint64_t>(seed);
    options.steps_max = row.steps_max;
    options.output = heddle::Output::quiet;
    options.trace_directory.clear();
    count += heddle::try_explore(row.body, options).bug_found;
  }
  return 100.0 * count / invocations;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_json = argc == 3 && std::strcmp(argv[1], "--json") == 0;
  const int invocations = argc > 1 && !is_json ? std::atoi(argv[1]) : 4;
  const char* const only_protocol = argc > 2 && !is_json ? argv[2] : nullptr;
  const char* const only_strategy = argc > 3 ? argv[3] : nullptr;
  if (invocations <= 0) {
    std::fprintf(stderr, "%s: the first argument is the number of invocations, as in `%s 100`\n", argv[0], argv[0]);
    return 1;
  }
  bench::Figures figures;
  for (const Row& row : rows()) {
    if (only_protocol != nullptr && std::strcmp(only_protocol, row.name) != 0) continue;
    for (std::size_t i = 0; i < std::size(kStrategies); ++i) {
      if (only_strategy != nullptr && std::strcmp(only_strategy, kStrategies[i].name) != 0) continue;
      const double share = found(row, kStrategies[i].name, invocations);
      const std::string name = std::string("protocols/") + row.name + "_" + kStrategies[i].name;
      figures.add(name, share, "%");
      if (row.published[i] != kNotGiven) figures.add(name + "_in_paper", row.published[i], "%");
      if (is_json) continue;
      std::printf("%-17s %-13s %5.0f %%   %-9s", row.name, kStrategies[i].name, share, kStrategies[i].published);
      if (row.published[i] != kNotGiven) std::printf(" %5.0f %%", row.published[i]);
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  return is_json ? figures.write(argc, argv) : 0;
}
