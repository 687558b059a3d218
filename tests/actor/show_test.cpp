// Pictures of machines, what was covered of them, and the notes from which charts are made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"

namespace {

using heddle::MachineId;
using ::testing::HasSubstr;
using ::testing::Not;

struct Open {};
struct Close {};
struct Knock {};
struct Break {};

class Door : public heddle::Machine {
 public:
  struct Shut;
  struct Ajar;
  struct Broken;
  static void declare(heddle::Declaration<Door>& is) {
    is.state<Shut>().start().go_to<Ajar, Open>().on<Knock>(&Door::answer).ignore<Close>();
    is.state<Ajar>().go_to<Shut, Close>().push<Broken, Break>().defer<Open>();
    is.state<Broken>().ignore_any();
  }

 private:
  void answer() {}
};

heddle::Options few() {
  heddle::Options options;
  options.executions = 20;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

TEST(Diagram, NamesStatesAndWays) {
  const std::string dot = heddle::diagram_dot<Door>();
  EXPECT_THAT(dot, HasSubstr("digraph \"Door\""));
  EXPECT_THAT(dot, HasSubstr("\"Shut\" -> \"Ajar\" [label=\"Open\"]"));
  EXPECT_THAT(dot, HasSubstr("\"Ajar\" -> \"Broken\" [label=\"Break\", style=dashed]"));
  EXPECT_THAT(dot, HasSubstr("handles Knock"));
  const std::string svg = heddle::diagram_svg<Door>();
  for (const char* name : {"Door", "Shut", "Ajar", "Broken", "on Knock", "defers Open"})
    EXPECT_THAT(svg, HasSubstr(name));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(Coverage, CountsPairsOverAllExecutions) {
  heddle::Coverage coverage;
  heddle::explore(
      [&] {
        heddle::Runtime runtime({.log = std::ref(coverage)});
        const MachineId door = runtime.create<Door>();
        runtime.send(door, Knock{});
        runtime.send(door, Open{});
        runtime.send(door, Close{});
      },
      few());
  // Shut: Open, Knock, Close; Ajar: Close, Break; Broken: all four, by its wildcard.
  EXPECT_EQ(coverage.pairs_declared(), 9u);
  EXPECT_EQ(coverage.pairs_seen(), 3u);
  EXPECT_EQ(coverage.states_declared(), 3u);
  EXPECT_EQ(coverage.states_seen(), 2u);
  const std::string table = coverage.table();
  EXPECT_THAT(table, HasSubstr("3 of 9 pairs of state and event, 2 of 3 states"));
  EXPECT_THAT(table, ::testing::ContainsRegex("Door +Ajar +Break +never"));
  EXPECT_THAT(table, ::testing::ContainsRegex("Door +Broken +not entered"));
  EXPECT_THAT(table, ::testing::ContainsRegex("Door +Shut +Knock +2[0-9]"));
  EXPECT_THAT(coverage.dot(), HasSubstr("\"Door.Ajar\" -> \"Door.Broken\" [label=\"Break\", style=dashed]"));
}

TEST(Notes, OfATraceSayWhoSentWhatToWhom) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "heddle_notes_test";
  std::filesystem::create_directories(folder);
  heddle::Options options = few();
  options.trace_directory = folder;
  options.name = "door";
  const heddle::Result result = heddle::try_explore(
      [] {
        heddle::Runtime runtime;
        const MachineId door = runtime.create<Door>();
        runtime.send(door, Open{});
        runtime.send(door, Knock{});  // unhandled in Ajar
      },
      options);
  ASSERT_TRUE(result.bug_found);
  std::ifstream file(result.trace_path);
  const std::string trace{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove_all(folder);
  EXPECT_THAT(trace, HasSubstr("as Door(1)"));
  EXPECT_THAT(trace, HasSubstr(" T0 created T1\n"));
  EXPECT_THAT(trace, HasSubstr(" T0 sent T1 Knock\n"));
  EXPECT_THAT(trace, HasSubstr(" T1 taken - Knock\n"));
  EXPECT_THAT(trace, HasSubstr(" T1 entered - Ajar\n"));
}

}  // namespace
