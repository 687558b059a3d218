// Instrumented programs under `heddle run`: of both compilers at every level, and what is said of a race.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_shell;

const std::string kCorners = HEDDLE_TESTS_DIR "/cli/instrumented/corners.cpp";
const std::string kLostUpdate = HEDDLE_TESTS_DIR "/lockfree/buggy/lost_update.cpp";

const std::string kTwoLocks = HEDDLE_TESTS_DIR "/lockfree/buggy/two_locks.cpp";
const std::string kLocksOfAllKinds = HEDDLE_TESTS_DIR "/cli/instrumented/locks.cpp";

const std::string kJump = HEDDLE_TESTS_DIR "/cli/instrumented/jump.c";
const std::string kReleaseSequence = HEDDLE_TESTS_DIR "/lockfree/buggy/release_sequence.cpp";
const std::string kNeighbours = HEDDLE_TESTS_DIR "/cli/instrumented/neighbours.cpp";
const std::string kHeapRace = HEDDLE_TESTS_DIR "/cli/instrumented/heap_race.cpp";

class Instrumented : public ::testing::Test {
 protected:
  Outcome heddle(const std::string& words, const std::string& variables = "") {
    return run_shell(variables + " '" HEDDLE_COMMAND_PATH "' " + words, folder_.path());
  }
  void build(const std::string& source, const std::string& program, const std::string& options = "",
             const std::string& compiler = "g++") {
    const Outcome built =
        heddle("c++ -std=c++20 -pthread " + options + " -o " + program + " '" + source + "'", "HEDDLE_CXX=" + compiler);
    ASSERT_EQ(built.code, 0) << built.output;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Instrumented, OfBothCompilersAtEveryLevel) {
  for (const char* compiler : {"g++", "clang++-14"}) {
    for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
      SCOPED_TRACE(std::string(compiler) + " " + level);
      build(kCorners, "corners", level, compiler);
      const Outcome corners = heddle("run -n 200 ./corners");
      EXPECT_EQ(corners.code, 0) << corners.output;
      EXPECT_THAT(corners.output, HasSubstr("nothing found in 200 executions"));
      build(kLostUpdate, "lost_update", level, compiler);
      const Outcome race = heddle("run --strategy idb ./lost_update");
      EXPECT_EQ(race.code, 2) << race.output;
      EXPECT_THAT(race.output, HasSubstr("and nothing orders the two"));
    }
  }
}

TEST_F(Instrumented, ARaceIsToldWithBothAccessesAndTheVariable) {
  build(kLostUpdate, "lost_update", "-O1");
  const Outcome race = heddle("run --strategy idb ./lost_update");
  EXPECT_EQ(race.code, 2);
  EXPECT_THAT(race.output, AllOf(HasSubstr("reads counter, which T1 wrote"), HasSubstr("T2 read 4 bytes"),
                                 HasSubstr("T1 wrote 4 bytes"), HasSubstr("lost_update.cpp:10")));
  EXPECT_THAT(heddle("show $(ls -t lost_update.*.trace | head -n 1)").output, HasSubstr("T1 wrote 4 bytes"));
}

TEST_F(Instrumented, TheAccessThatIsNamedIsTheOneThatHappened) {
  build(kNeighbours, "neighbours", "-O1");
  EXPECT_THAT(heddle("run --strategy idb ./neighbours").output,
              AllOf(HasSubstr("T1 reads x, which T0 wrote"),
                    HasSubstr("T0 wrote 4 bytes, holding no lock\n    write_first"), Not(HasSubstr("write_second  "))));
  EXPECT_THAT(heddle("run --strategy idb ./neighbours more").output,
              AllOf(HasSubstr("T0 wrote 1 byte, holding no lock\n    write_text"), HasSubstr("T1 read 1 byte,")));
}

TEST_F(Instrumented, ReleaseSequencesAreThoseOfTheStandard) {
  build(kReleaseSequence, "sequence", "-O1");
  const Outcome race = heddle("run -n 2000 ./sequence");
  EXPECT_EQ(race.code, 2) << race.output;
  EXPECT_THAT(race.output, HasSubstr("nothing orders the two (under C++17 a release sequence would order them)"));
  EXPECT_EQ(heddle("run -n 2000 --standard c++17 ./sequence").code, 0);
  build(kLostUpdate, "lost_update", "-O1");
  const Outcome older = heddle("run --strategy idb --standard c++14 ./lost_update");
  EXPECT_EQ(older.code, 2);
  EXPECT_THAT(older.output, Not(HasSubstr("under C++17")));
  EXPECT_THAT(run_shell("cat lost_update.*.trace", folder_.path()).output, HasSubstr("option standard=c++14\n"));
  EXPECT_EQ(heddle("replay $(ls -t lost_update.*.trace | head -n 1)").code, 2);
  EXPECT_EQ(heddle("run --standard c++98 ./sequence").code, 1);
}

TEST_F(Instrumented, ASuppressionOfANeighbourCoversNothingElse) {
  build(kNeighbours, "neighbours", "-O1");
  ASSERT_EQ(run_shell("echo race:write_second > second; echo race:write_first > first", folder_.path()).code, 0);
  EXPECT_EQ(heddle("run -n 50 --suppressions second ./neighbours").code, 2);
  EXPECT_EQ(heddle("run -n 50 --suppressions first ./neighbours").code, 0);
}

TEST_F(Instrumented, ARaceIsToldWithTheLocksThatEachHeld) {
  build(kTwoLocks, "two_locks", "-O1");
  const Outcome race = heddle("run --strategy idb ./two_locks");
  EXPECT_EQ(race.code, 2);
  EXPECT_THAT(race.output, AllOf(HasSubstr("T2 read 4 bytes, holding m2 (taken at two_locks.cpp:10)\n"),
                                 HasSubstr("T1 wrote 4 bytes, holding m1 (taken at two_locks.cpp:10)\n")));
  const Outcome shown = heddle("show --json $(ls -t two_locks.*.trace | head -n 1)");
  EXPECT_THAT(shown.output, HasSubstr("\"locks\": ["));
  EXPECT_THAT(heddle("replay $(ls -t two_locks.*.trace | head -n 1)").output,
              HasSubstr("T1 wrote 4 bytes, holding m1"));
  build(kLocksOfAllKinds, "locks", "-O1");
  const std::string all = heddle("run --strategy idb ./locks").output;
  EXPECT_THAT(all,
              AllOf(HasSubstr("T1 read 4 bytes, holding rw1 (taken at locks.cpp:20), m3 (taken at locks.cpp:19)\n"),
                    HasSubstr("T0 wrote 4 bytes, holding no lock\n")));
}

TEST_F(Instrumented, ProgramsInCOfBothCompilers) {
  for (const char* compiler : {"gcc", "clang-14"}) {
    for (const char* options : {"-O0", "-O2", "-O2 -D_FORTIFY_SOURCE=2"}) {
      SCOPED_TRACE(std::string(compiler) + " " + options);
      const std::string words = std::string("cc -g -std=c11 -pthread ") + options + " -o jump '" + kJump + "'";
      ASSERT_EQ(heddle(words, std::string("HEDDLE_CC=") + compiler).code, 0);
      const std::string there = heddle("run --strategy idb ./jump").output;
      EXPECT_THAT(there, AllOf(HasSubstr("counter, which"), HasSubstr("T1 wrote 4 bytes, holding no lock\n    work ")));
      const std::string below = heddle("run --strategy idb ./jump calls").output;
      EXPECT_THAT(below,
                  AllOf(HasSubstr("counter, which"), HasSubstr("T1 wrote 4 bytes, holding no lock\n    touch ")));
      for (const std::string& text : {there, below}) EXPECT_THAT(text, Not(HasSubstr("leave_from_below  ")));
    }
  }
}

TEST_F(Instrumented, ABlockIsToldWithWhoeverAskedForItAndGaveItBack) {
  for (const char* compiler : {"g++", "clang++-14"}) {
    for (const char* level : {"-O0", "-O2"}) {
      SCOPED_TRACE(std::string(compiler) + " " + level);
      build(kHeapRace, "heap_race", std::string("-g ") + level, compiler);
      EXPECT_THAT(heddle("run ./heap_race").output,
                  ::testing::ContainsRegex("T0 allocated a block of [0-9]+ bytes\n    make_box  heap_race.cpp:9 "));
      EXPECT_THAT(heddle("run ./heap_race drop").output,
                  ::testing::ContainsRegex("T1 free(d|s) .*\n    drop_box +heap_race.cpp:10 "));
    }
  }
}

TEST_F(Instrumented, RacesCanBeIgnoredAndPointsChosen) {
  build(kLostUpdate, "lost_update", "-O1");
  EXPECT_EQ(heddle("run -n 100 --races ignore --points racy ./lost_update").code, 0);
  const Outcome lost = heddle("run -n 1000 --races ignore --points all ./lost_update");
  EXPECT_EQ(lost.code, 2);
  EXPECT_THAT(lost.output, HasSubstr("assertion"));
  EXPECT_EQ(heddle("run --points everywhere ./lost_update").code, 1);
  EXPECT_EQ(heddle("run --races forgive ./lost_update").code, 1);
}

TEST_F(Instrumented, PointsBeginCoarseAndRefineUntilTheBugIsThere) {
  build(kLostUpdate, "lost_update", "-O1");
  const Outcome lost = heddle("run -n 1000 --races ignore ./lost_update");  // two plain accesses must be parted
  EXPECT_EQ(lost.code, 2) << lost.output;
  EXPECT_THAT(lost.output, HasSubstr("assertion"));
  EXPECT_EQ(run_shell("grep -c '^option points=all$' lost_update.*.trace", folder_.path()).code, 0);
  EXPECT_THAT(heddle("replay $(ls -t lost_update.*.trace | head -n 1)").output, HasSubstr("BUG again: assertion"));
  const Outcome few = heddle("run -n 3 --strategy random --races ignore ./lost_update");
  EXPECT_THAT(few.output, HasSubstr("  points  3 at sync\n"));
  const Outcome proof = heddle("run --strategy dfs --races ignore ./lost_update");
  EXPECT_THAT(proof.output, ::testing::ContainsRegex("  points  [0-9]+ at racy\n"));
}

TEST_F(Instrumented, PointsAreTheSameForTheSameSeedInEveryIsolation) {
  build(HEDDLE_TESTS_DIR "/lockfree/correct/treiber_stack.cpp", "treiber_stack", "-O1");
  const auto list = [this](const std::string& isolation) {
    const std::string file = isolation + ".list";
    const std::string words = "run -n 300 --seed 3 --isolation " + isolation + " --list-schedules " + file;
    EXPECT_EQ(heddle(words + " ./treiber_stack").code, 0);
    return file;
  };
  const std::string compare = "cmp " + list("prefix") + " " + list("fork") + " && cmp fork.list " + list("rewind");
  EXPECT_EQ(run_shell(compare, folder_.path()).code, 0);
}

TEST_F(Instrumented, PromotedPlacesAreKeptInAFile) {
  build(kLostUpdate, "lost_update", "-O1");
  EXPECT_EQ(heddle("run -n 1 --races promote --promoted places ./lost_update").code, 0);
  const Outcome again = heddle("run --races promote --promoted places ./lost_update");
  EXPECT_EQ(again.code, 2) << again.output;
  EXPECT_THAT(heddle("replay $(ls -t lost_update.*.trace | head -n 1)").output, HasSubstr("BUG again: assertion"));
}

}  // namespace
}  // namespace heddle
