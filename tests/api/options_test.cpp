// From heddle::Options and the environment to what is explored, and into the trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <heddle/heddle.hpp>

#include "support/environment_variable.hpp"

namespace {

using heddle::testing::Variable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

heddle::Options quietly() {
  heddle::Options options;
  options.executions = 3;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return options;
}

std::string complaint_about(const heddle::Options& options) {
  try {
    (void)heddle::try_explore([] {}, options);
  } catch (const heddle::WrongUse& wrong) {
    return wrong.what();
  }
  return "it was accepted";
}

/// The lines about options in the trace of a body that fails.
std::vector<std::string> options_in_trace(heddle::Options options) {
  // A folder for this process alone: ctest runs these tests side by side, and each writes the trace of its first bug.
  std::string folder = std::filesystem::temp_directory_path() / "heddle_options.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return {"no temporary folder"};
  options.trace_directory = folder;
  const heddle::Result result = heddle::try_explore([] { heddle::fail("always"); }, options);
  std::vector<std::string> lines;
  std::ifstream file(result.trace_path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("option ")) lines.push_back(line.substr(7));
  std::filesystem::remove_all(folder);
  return lines;
}

TEST(Options, WrongOnesAreNamedWithWhatIsAllowed) {
  heddle::Options options = quietly();
  options.races = "frob";
  EXPECT_EQ(complaint_about(options), "Options::races must be report, promote or ignore, not `frob`");
  options = quietly();
  options.points = "frob";
  EXPECT_EQ(complaint_about(options), "Options::points must be auto, sync, release, atomic, racy or all, not `frob`");
  options = quietly();
  options.time = std::chrono::milliseconds(-5);
  EXPECT_EQ(complaint_about(options), "Options::time must be a number of seconds from 0 to 1000000000, not `-0.005`");
  options = quietly();
  options.strategy = std::string(3000, 'x');
  EXPECT_EQ(complaint_about(options), "Options::strategy is longer than 2047 characters");
  const Variable seed("HEDDLE_SEED", "seven");
  EXPECT_EQ(complaint_about(quietly()), "HEDDLE_SEED must be a whole number, not `seven`");
}

// What is usual is written twice, in the public header and in the table: here they meet.
TEST(Options, ThatAreUsualAreThoseOfTheTable) {
  EXPECT_THAT(options_in_trace({.output = heddle::Output::quiet}),
              ElementsAre("steps_max=200000", "exits=0", "within_steps=0", "time=choice", "choose_waiter=yes",
                          "spurious_wakeups=no", "races=report", "standard=c++20", "weak_failures=no",
                          "executor=carrier", "points=sync", "choices=needed"));
}

TEST(Options, EachStandsInTheTrace) {
  heddle::Options options = quietly();
  options.steps_max = 5000;
  options.time_policy = heddle::TimePolicy::patient;
  options.choose_waiter = false;
  options.spurious_wakeups = true;
  options.races = "ignore";
  options.standard = "c++17";
  options.points = "all";
  options.weak_failures = true;
  options.executor = heddle::Executor::baton;
  options.allow = {"relock", "join-twice"};
  EXPECT_THAT(options_in_trace(options),
              ElementsAre("steps_max=5000", "exits=0", "within_steps=0", "allow=relock,join-twice", "time=patient",
                          "choose_waiter=no", "spurious_wakeups=yes", "races=ignore", "standard=c++17", "points=all",
                          "weak_failures=yes", "executor=baton", "choices=needed"));
}

TEST(Options, OfTheEnvironmentStandInTheLineThatGoesOn) {
  const Variable strategy("HEDDLE_STRATEGY", "random");
  const Variable seed("HEDDLE_SEED", "7");
  EXPECT_THAT(heddle::explore([] { heddle::choose(2); }, quietly()).report,
              HasSubstr("\n  go on   HEDDLE_TIME=60 HEDDLE_SEED=8 HEDDLE_STRATEGY=random "));
}

}  // namespace
