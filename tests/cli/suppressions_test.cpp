// Races that are suppressed, end to end: by every way of saying so, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_shell;

const std::string kPrograms = HEDDLE_TESTS_DIR "/cli/instrumented/";

class Suppressed : public ::testing::Test {
 protected:
  Outcome heddle(const std::string& words, const std::string& variables = "") {
    return run_shell(variables + " '" HEDDLE_COMMAND_PATH "' " + words, folder_.path());
  }
  void build(const std::string& program, const std::string& more = "") {
    const Outcome built =
        heddle("c++ -std=c++20 -O1 -g -pthread -o " + program + " '" + kPrograms + program + ".cpp' " + more);
    ASSERT_EQ(built.code, 0) << built.output;
  }
  void write(const std::string& text) { std::ofstream(folder_ / "s.supp") << text; }

  testing::TemporaryFolder folder_;
};

TEST_F(Suppressed, RacesAreNoFailureAndTheOthersAreFound) {
  build("two_races");
  write("# of the logger\nrace:^log_it\n");
  const Outcome first = heddle("run ./two_races");
  EXPECT_EQ(first.code, 2);
  EXPECT_THAT(first.output, HasSubstr("reads logged, which"));
  const Outcome second = heddle("run --suppressions s.supp ./two_races");
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.output, AllOf(HasSubstr("counter, which"), Not(HasSubstr("logged, which")),
                                   HasSubstr(" by race:^log_it (s.supp:2)")));
  EXPECT_THAT(heddle("replay $(ls -t two_races.*.trace | head -n 1)").output,
              ContainsRegex("BUG again: T[12] reads counter, which"));
}

TEST_F(Suppressed, AllOfThemLeaveNothingToBeFound) {
  build("two_races");
  write("race_top:log_it\nrace:^counter$\n");
  for (const std::string isolation : {"prefix", "fork", "rewind"}) {
    SCOPED_TRACE(isolation);
    const Outcome all = heddle("run -n 300 --isolation " + isolation + " --suppressions s.supp ./two_races");
    EXPECT_EQ(all.code, 0) << all.output;
    EXPECT_THAT(all.output,
                AllOf(HasSubstr("nothing found in 300 executions"), HasSubstr("  races   suppressed: "),
                      HasSubstr(" by race_top:log_it (s.supp:1), "), HasSubstr(" by race:^counter$ (s.supp:2)")));
  }
}

TEST_F(Suppressed, RacesLeaveASystematicSearchComplete) {
  build("two_races");
  write("race:work\n");
  const auto explored = [this](const std::string& options) {
    const std::string text = heddle("run --strategy dfs --points atomic " + options + " ./two_races").output;
    EXPECT_THAT(text, HasSubstr("every schedule was explored: none fails"));
    return text.substr(0, text.find(','));
  };
  EXPECT_EQ(explored("--suppressions s.supp"), explored("--races ignore"));
}

TEST_F(Suppressed, RacesAreTakenFromTheOptionsOfThreadSanitizer) {
  build("two_races");
  write("called_from_lib:two_races\n");
  const Outcome all = heddle("run -n 100 ./two_races", "TSAN_OPTIONS='halt_on_error=1 suppressions=s.supp'");
  EXPECT_EQ(all.code, 0) << all.output;
  EXPECT_THAT(all.output, HasSubstr("by called_from_lib:two_races"));
  std::filesystem::create_directory(folder_ / "below");  // the file is beside the program
  const Outcome elsewhere = run_shell(
      "cd below && TSAN_OPTIONS=suppressions=s.supp '" HEDDLE_COMMAND_PATH "' run -n 100 ../two_races", folder_.path());
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.output;
}

TEST_F(Suppressed, RacesWithAFreeAreSuppressedAsWell) {
  build("heap_race");
  write("race:^drop_box\n");
  const Outcome first = heddle("run ./heap_race drop");
  EXPECT_EQ(first.code, 2);
  const Outcome all = heddle("run -n 100 --strategy random --suppressions s.supp ./heap_race drop");
  EXPECT_THAT(all.output, Not(HasSubstr("nothing orders the two")));
  EXPECT_THAT(all.output, HasSubstr(" by race:^drop_box (s.supp:1)"));
}

TEST_F(Suppressed, LinesThatAreWrongAreWrongUse) {
  build("two_races");
  write("race:log_it\nrace counter\n");
  const Outcome wrong = heddle("run --suppressions s.supp ./two_races");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.output, HasSubstr("s.supp:2: expected a suppression such as race:pattern"));
  EXPECT_EQ(heddle("run --suppressions nowhere ./two_races").code, 1);
}

TEST_F(Suppressed, RacesOfATestInProcessAreNoFailureEither) {
  const std::string library = std::filesystem::path(HEDDLE_LIBRARY_PATH).parent_path();
  build("two_races_explored",
        "-I'" HEDDLE_TESTS_DIR "/../include' '" HEDDLE_LIBRARY_PATH "' -Wl,-rpath,'" + library + "'");
  write("race:^log_it\n");
  const Outcome first = run_shell("./two_races_explored", folder_.path());
  EXPECT_EQ(first.code, 2);
  EXPECT_THAT(first.output, HasSubstr("logged, which"));
  const Outcome second = run_shell("./two_races_explored s.supp", folder_.path());
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.output, AllOf(HasSubstr("counter, which"), Not(HasSubstr("logged, which"))));
  EXPECT_THAT(heddle("replay $(ls -t two_races_explored.*.trace | head -n 1)").output,
              ContainsRegex("BUG again: T[12] reads counter, which"));
  write("race:^log_it\nrace_top:^count_it\n");
  const Outcome all = run_shell("HEDDLE_SUPPRESSIONS=s.supp ./two_races_explored", folder_.path());
  EXPECT_EQ(all.code, 0) << all.output;
  EXPECT_THAT(all.output, AllOf(HasSubstr("nothing found"), HasSubstr("  races   suppressed: ")));
  write("nonsense\n");
  EXPECT_EQ(run_shell("./two_races_explored s.supp", folder_.path()).code, 1);
}

}  // namespace
}  // namespace heddle
