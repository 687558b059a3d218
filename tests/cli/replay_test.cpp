// What `heddle replay` does before the program takes over. The program here is the shell, which tells what it was
// given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::Outcome;
using testing::run_heddle;

class Replay : public ::testing::Test {
 protected:
  Outcome replay(const std::string& header, const std::string& options = "") {
    std::ofstream(folder_ / "a trace") << "heddle trace 1\n"
                                       << header
                                       << "verdict passed -\n\noperations\n\nresources\n\nsteps\n\nplaces\nend 0\n";
    return run_heddle("replay " + options + " '" + folder_ / "a trace" + "'");
  }

  /// The header line with the build id of a program; empty if it has none.
  std::string build_id_line(const std::string& program) {
    const Outcome outcome = replay("program " + program + "\nbuild-id 00\n");
    std::smatch now;
    EXPECT_TRUE(std::regex_search(outcome.output, now, std::regex("now ([0-9a-f]+|none)"))) << outcome.output;
    return now[1] == "none" ? "" : "build-id " + now[1].str() + "\n";
  }

  std::string folder() const { return std::filesystem::canonical(folder_.path()); }

  testing::TemporaryFolder folder_;
};

TEST_F(Replay, RunsTheProgramAsItWasRun) {
  const Outcome outcome = replay(
      "program /bin/sh\nargument -c\nargument pwd; echo \"$HEDDLE_REPLAY\"; echo \"$0\"; exit 7\n"
      "argument an argument\\nof two lines\ndirectory " +
      folder_.path() + "\n" + build_id_line("/bin/sh"));
  EXPECT_EQ(outcome.output, folder() + "\n" + folder_ / "a trace" + "\nan argument\nof two lines\n");
  EXPECT_EQ(outcome.code, 7);
}

TEST_F(Replay, PassesAnAbsolutePath) {
  replay("program /bin/sh\nargument -c\nargument echo \"$HEDDLE_REPLAY\"\ndirectory /\n");
  const Outcome outcome = run_heddle("replay './a trace'", folder_.path());
  EXPECT_EQ(outcome.output, folder() + "/a trace\n");
}

TEST_F(Replay, RefusesAnotherBuild) {
  const Outcome outcome = replay("program /bin/sh\nargument -c\nargument echo ran\nbuild-id 0123abcd\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output,
              MatchesRegex("heddle: this trace was made by another build of /bin/sh \\(build id 0123abcd, now "
                           "([0-9a-f]+|none)\\): run the test again, or rebuild that version\n"));
}

TEST_F(Replay, SaysThatTheProgramIsGone) {
  const Outcome gone = replay("program /no/such/program\ndirectory /no/such/folder\n");
  EXPECT_EQ(gone.code, 1);
  EXPECT_EQ(gone.output, "heddle: /no/such/program, the program of this trace, does not exist: build it again\n");
  const Outcome unnamed = replay("seed 7\n");
  EXPECT_EQ(unnamed.code, 1);
  EXPECT_EQ(unnamed.output, "heddle: this trace does not name its program\n");
}

TEST_F(Replay, SaysWhyTheProgramCannotRun) {
  std::ofstream(folder_ / "broken") << "not a program";
  const Outcome plain = replay("program " + folder_ / "broken" + "\n");
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.output, HasSubstr("cannot be run: Permission denied\n"));
  std::filesystem::permissions(folder_ / "broken", std::filesystem::perms::owner_all);
  const Outcome broken = replay("program " + folder_ / "broken" + "\n");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.output, "heddle: cannot run " + folder_ / "broken" + ": Exec format error\n");
}

TEST_F(Replay, StaysWhereTheFolderIsGone) {
  const Outcome outcome = replay("program /bin/sh\nargument -c\nargument echo ran\ndirectory /no/such/folder\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output,
            "heddle: cannot enter /no/such/folder, where the program ran (No such file or directory): running it here "
            "instead\n"
            "ran\n");
}

TEST_F(Replay, TakesARelativeProgramFromWhereItRan) {
  std::filesystem::create_symlink("/bin/sh", folder_ / "shell");
  const Outcome outcome = replay("program ./shell\nargument -c\nargument echo ran\ndirectory " + folder_.path() + "\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "ran\n");
}

TEST_F(Replay, SaysWhatItRunsWhenAsked) {
  const Outcome outcome =
      replay("program /bin/sh\nargument -c\nargument echo ran\ndirectory " + folder_.path() + "\n", "--verbose");
  EXPECT_EQ(outcome.output,
            "heddle: in " + folder() + ": HEDDLE_REPLAY='" + folder_ / "a trace" + "' /bin/sh -c 'echo ran'\nran\n");
}

}  // namespace
}  // namespace heddle
