// Isolation changes nothing: what is explored, and how often, is the same by fork, by prefix, by rewind and in process,
// for choices of every kind, before the first thread and after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run.hpp"
#include "heddle/heddle.hpp"
#include "run_programs/choices/bodies.hpp"

namespace heddle {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kExecutions = 120;
constexpr const char* kStrategies[] = {"random", "dfs", "dfs:reduce=1", "ipb", "pct", "ql", "portfolio"};

/// All that an exploration did, as far as `heddle run` tells.
struct Explored {
  std::string list;  // of its schedules
  Json counts;

  bool operator==(const Explored&) const = default;
};

void PrintTo(const Explored& explored, std::ostream* out) { *out << explored.counts.dump(1) << "\n" << explored.list; }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What is told of executions, and neither of time nor of the isolation itself.
Json counts_of(const std::string& path) {
  Json counts = Json::parse(contents(path));
  for (const char* other : {"seconds", "isolation"}) counts.erase(other);
  return counts;
}

class Isolations : public ::testing::Test {
 protected:
  /// `words`: options and program.
  Explored explore(const std::string& isolation, const std::string& words) {
    const std::string line = "run --seed 5 --isolation " + isolation + " --executions " + std::to_string(kExecutions) +
                             " --list-schedules list --json counts " + words + " </dev/null";
    const testing::Outcome outcome = testing::run_heddle(line, folder_.path());
    EXPECT_NE(outcome.code, 1) << outcome.output;
    EXPECT_NE(outcome.code, 3) << outcome.output;
    // What was asked for is what was done.
    EXPECT_THAT(outcome.output, ::testing::Not(::testing::HasSubstr("forked, not rewound"))) << words;
    return {contents(folder_ / "list"), counts_of(folder_ / "counts")};
  }

  /// By fork; the others are compared with it.
  Explored explore_by_all(const std::string& words) {
    const Explored forked = explore("fork", words);
    for (const char* isolation : {"prefix", "rewind"}) EXPECT_EQ(explore(isolation, words), forked) << isolation;
    return forked;
  }

  testing::TemporaryFolder folder_;
};

/// Other processes are made by the first three; this one is the tests' own.
Json in_process(const choices::Body& named, const std::string& strategy) {
  const Result result = try_explore(
      named.function,
      {.strategy = strategy, .executions = kExecutions, .seed = 5, .output = Output::quiet, .trace_directory = ""});
  return {{"executions", result.executions},
          {"distinct_schedules", result.distinct_schedules},
          {"orderings", result.classes},
          {"complete", result.complete},
          {"cut", result.cut},
          {"bugs", result.bug_found ? 1 : 0}};
}

class IsolationsOf : public Isolations, public ::testing::WithParamInterface<choices::Body> {};

TEST_P(IsolationsOf, ExploreTheSame) {
  const choices::Body named = GetParam();
  for (const std::string strategy : kStrategies) {
    SCOPED_TRACE(strategy);
    const Explored whole =
        explore_by_all("--strategy " + strategy + " -- " HEDDLE_RUN_PROGRAMS "/choices " + named.name);
    Json counts = in_process(named, strategy);
    for (const auto& [name, count] : counts.items())
      EXPECT_EQ(name == "bugs" ? Json(whole.counts["bugs"].size()) : whole.counts[name], count) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Choices, IsolationsOf, ::testing::ValuesIn(choices::all().begin(), choices::all().end()),
                         [](const auto& each) {
                           std::string name = each.param.name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

/// Each value once, under a search that is complete.
TEST_F(Isolations, VaryValuesThatComeBeforeTheFirstThread) {
  for (const char* isolation : {"fork", "prefix", "rewind"}) {
    const Explored alone = explore(isolation, "--strategy dfs -- " HEDDLE_RUN_PROGRAMS "/choices values-alone");
    EXPECT_EQ(alone.counts["executions"], 6) << isolation;  // 3 x 2
    EXPECT_EQ(alone.counts["complete"], true) << isolation;
    const Explored found = explore(isolation, "--strategy random -- " HEDDLE_RUN_PROGRAMS "/choices fails-by-value");
    EXPECT_EQ(found.counts["bugs"].size(), 1u) << isolation;
  }
}

struct Instrumented {
  const char* source;
  const char* options;
};

/// Here the accesses that are scheduling points change from execution to execution, and weak compare-exchanges fail.
constexpr Instrumented kInstrumented[] = {
    {"/lockfree/buggy/lost_update.cpp", " "},
    {"/lockfree/correct/treiber_stack.cpp", " "},
    {"/lockfree/correct/treiber_stack.cpp", " --points all "},
    {"/cli/instrumented/weak_before_threads.cpp", " --weak-failures "},
    {"/cli/instrumented/weak_before_threads.cpp", " --weak-failures --races promote "},
};

TEST_F(Isolations, ExploreTheSameOfInstrumentedPrograms) {
  const std::string build = "'" HEDDLE_COMMAND_PATH "' c++ -std=c++20 -O1 -pthread -o program '" HEDDLE_TESTS_DIR;
  for (const Instrumented& each : kInstrumented) {
    const testing::Outcome built = testing::run_shell(build + each.source + "'", folder_.path());
    ASSERT_EQ(built.code, 0) << built.output;
    for (const char* strategy : {"random", "dfs:reduce=1", "ql", "portfolio"}) {
      SCOPED_TRACE(std::string(each.source) + each.options + strategy);
      explore_by_all("--strategy " + std::string(strategy) + each.options + "./program");
    }
  }
}

}  // namespace
}  // namespace heddle
