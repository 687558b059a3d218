// Explores the buggy version of one protocol, as heddle's variables say; for tables over all programs with a bug.
//
//   HEDDLE_STRATEGY=ql HEDDLE_SEED=7 protocol paxos
#include <cstdio>
#include <string>

#include "table.hpp"

int main(int argc, char** argv) {
  const std::string wanted = argc == 2 ? argv[1] : "";
  for (const auto& protocol : heddle::test::protocols()) {
    if (argc == 1) std::puts(protocol.name.c_str());
    if (protocol.name != wanted) continue;
    heddle::Options options;
    options.steps_max = protocol.steps_max;
    const heddle::Result result = heddle::try_explore(protocol.buggy, options);
    std::fputs(result.report.c_str(), stderr);
    return result.bug_found ? 2 : 0;
  }
  if (argc == 1) return 0;
  std::fprintf(stderr, "usage: %s [protocol]     without one: prints their names\n", argv[0]);
  return 1;
}
