// What `heddle replay` runs: what a trace names only if this user wrote it here, and otherwise what the user typed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using testing::Outcome;
using testing::run_heddle;
using testing::run_shell;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Replay : public ::testing::Test {
 protected:
  /// A trace that somebody else wrote.
  Outcome replay(const std::string& header, const std::string& after = "") {
    std::ofstream(folder_ / "a trace") << "heddle trace 1\n"
                                       << header
                                       << "verdict passed -\n\noperations\n\nresources\n\nsteps\n\nplaces\nend 0\n";
    return run_heddle("replay '" + folder_ / "a trace" + "' " + after);
  }

  /// The header line with the build id of a program; empty if it has none.
  std::string build_id_line(const std::string& program) {
    const Outcome outcome = replay("program " + program + "\nbuild-id 00\n", "-- " + program);
    std::smatch now;
    EXPECT_TRUE(std::regex_search(outcome.output, now, std::regex("now ([0-9a-f]+|none)"))) << outcome.output;
    return now[1] == "none" ? "" : "build-id " + now[1].str() + "\n";
  }

  std::string canary() const { return folder_ / "canary"; }
  bool is_canary_alive() const { return !std::filesystem::exists(canary()); }

  testing::TemporaryFolder folder_;
};

TEST_F(Replay, RunsNothingThatAStrangersTraceNames) {
  for (const std::string way : {"", "option way=run\n"})
    for (const std::string& build_id : {std::string(), build_id_line("/bin/sh")}) {
      const Outcome outcome = replay("program /bin/sh\nargument -c\nargument touch " + canary() + "\ndirectory /tmp\n" +
                                     build_id + way + "option oracle=touch " + canary() + "\n");
      EXPECT_EQ(outcome.code, 1);
      EXPECT_THAT(outcome.output,
                  AllOf(HasSubstr("a trace was not written by you on this machine, or was changed since"),
                        HasSubstr("  cd /tmp && heddle replay '" + folder_ / "a trace" + "' --oracle 'touch " +
                                  canary() + "' -- /bin/sh -c 'touch ")));
      EXPECT_TRUE(is_canary_alive());
    }
}

TEST_F(Replay, ShowsHostileWordsAsWordsOfAShell) {
  const Outcome outcome = replay("program /bin/sh\nargument \\x1b]0;x\\x07'; reboot\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("-- /bin/sh $'\\033]0;x\\007\\'; reboot'\n"));
}

TEST_F(Replay, RunsWhatTheUserNames) {
  const Outcome outcome =
      replay("program /bin/false\nargument -x\ndirectory /no/such/folder\n" + build_id_line("/bin/sh"),
             "-- /bin/sh -c 'echo \"$HEDDLE_REPLAY\"; echo \"$0\"; exit 7' 'an argument'");
  EXPECT_EQ(outcome.output, folder_ / "a trace" + "\nan argument\n");
  EXPECT_EQ(outcome.code, 7);
}

TEST_F(Replay, RunsNoOracleThatAStrangersTraceNames) {
  const std::string header =
      "program /bin/sh\n" + build_id_line("/bin/sh") + "option way=run\noption oracle=touch " + canary() + "\n";
  const Outcome refused = replay(header, "-- /bin/sh -c true");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output, HasSubstr("was judged by a command, which heddle does not take from a file"));
  EXPECT_TRUE(is_canary_alive());
}

TEST_F(Replay, PassesAnAbsolutePath) {
  replay("program /bin/sh\n");
  const Outcome outcome = run_heddle("replay './a trace' -- /bin/sh -c 'echo \"$HEDDLE_REPLAY\"'", folder_.path());
  EXPECT_EQ(outcome.output, std::filesystem::canonical(folder_.path()).string() + "/a trace\n");
}

TEST_F(Replay, RefusesAnotherBuild) {
  const Outcome outcome = replay("program /bin/sh\nbuild-id 0123abcd\n", "-- /bin/sh -c 'echo ran'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output,
              MatchesRegex("heddle: this trace was made by another build of /bin/sh \\(build id 0123abcd, now "
                           "([0-9a-f]+|none)\\): run the test again, or rebuild that version\n"));
}

TEST_F(Replay, SaysThatTheProgramIsGone) {
  const Outcome gone = replay("program /no/such/program\n", "-- /no/such/program");
  EXPECT_EQ(gone.code, 1);
  EXPECT_EQ(gone.output, "heddle: /no/such/program, the program of this trace, does not exist: build it again\n");
  const Outcome unnamed = replay("seed 7\n");
  EXPECT_EQ(unnamed.code, 1);
  EXPECT_EQ(unnamed.output, "heddle: this trace does not name its program; name it after `--`\n");
}

TEST_F(Replay, SaysWhyTheProgramCannotRun) {
  std::ofstream(folder_ / "broken") << "not a program";
  const Outcome plain = replay("program broken\n", "-- " + folder_ / "broken");
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.output, HasSubstr("cannot be run: Permission denied\n"));
  std::filesystem::permissions(folder_ / "broken", std::filesystem::perms::owner_all);
  const Outcome broken = replay("program broken\n", "-- " + folder_ / "broken");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.output, "heddle: cannot run " + folder_ / "broken" + ": Exec format error\n");
}

TEST_F(Replay, SaysWhatItRunsWhenAsked) {
  const Outcome outcome = replay("program /bin/sh\n", "--verbose -- /bin/sh -c 'echo ran'");
  EXPECT_THAT(outcome.output, HasSubstr(": HEDDLE_REPLAY='" + folder_ / "a trace" + "' /bin/sh -c 'echo ran'\nran\n"));
}

TEST_F(Replay, NamesTheLineOfAnOptionThatIsWrong) {
  for (const char* wrong : {"exits=-1", "exits=300000", "steps_max=abc", "steps_max=0", "steps_max=99999999999999999",
                            "within_steps=-3", "fail_on_output=(", "time=never", "points=auto,", "allow=everything"}) {
    const Outcome outcome =
        replay("program " HEDDLE_RUN_PROGRAMS "/act\noption way=run\noption " + std::string(wrong) + "\n",
               "-- " HEDDLE_RUN_PROGRAMS "/act correct");
    EXPECT_EQ(outcome.code, 1) << wrong;
    EXPECT_THAT(outcome.output, HasSubstr("/a trace:4: ")) << wrong;
    EXPECT_THAT(outcome.output, Not(HasSubstr("fault"))) << wrong;
  }
}

/// What `heddle run` finds has a name of its own, is replayed as it is, and by nobody whose trace it is not.
class OwnTrace : public Replay {
 protected:
  OwnTrace() {
    found_ = run_heddle("run --trace-dir . -- " HEDDLE_RUN_PROGRAMS "/act abort </dev/null", folder_.path());
    name_ = run_shell("echo *.trace", folder_.path()).output;
    name_.pop_back();
  }

  std::string folder() const { return folder_.path(); }

  Outcome found_;
  std::string name_;
};

TEST_F(OwnTrace, IsReplayedByTheLineThatIsPrinted) {
  EXPECT_THAT(name_, MatchesRegex("act\\.aborted\\.[0-9a-f]{4}\\.trace"));
  EXPECT_THAT(found_.output, HasSubstr("  replay  heddle replay " + name_ + "\n"));
  EXPECT_EQ(run_heddle("replay " + name_ + " </dev/null", folder()).code, 2);
}

TEST_F(OwnTrace, IsNotReplayedOnceItWasChanged) {
  for (const char* change : {"s/^argument abort/argument correct/", "s/^option exits=0/option exits=0,3/", "/^seal/d",
                             "s/^seal ./seal 0/;s/^execution .*/execution 77/"}) {
    run_shell("sed '" + std::string(change) + "' " + name_ + " > changed", folder());
    const Outcome outcome = run_heddle("replay changed </dev/null", folder());
    EXPECT_EQ(outcome.code, 1) << change;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("or was changed since"), HasSubstr("/act "))) << change;
  }
}

TEST_F(OwnTrace, IsReplayedByOthersWhoNameTheProgram) {
  const std::string other = "XDG_STATE_HOME=$PWD/other HOME= ";
  const std::string command = other + "'" HEDDLE_COMMAND_PATH "' replay " + name_;
  run_shell("mkdir -m 700 other", folder());
  const Outcome outcome = run_shell(command + " -- " HEDDLE_RUN_PROGRAMS "/act abort </dev/null", folder());
  EXPECT_EQ(outcome.code, 2) << outcome.output;
}

TEST_F(OwnTrace, StaysWhenAnotherBugIsFound) {
  const auto run = [this](const std::string& what) {
    return run_heddle("run --trace-dir . -- " HEDDLE_RUN_PROGRAMS "/act " + what + " </dev/null", folder());
  };
  const std::string before = contents(folder_ / name_);
  run("crash");
  run("deadlock");
  EXPECT_EQ(run_shell("ls *.trace | wc -l", folder()).output, "3\n");
  EXPECT_EQ(contents(folder_ / name_), before);
  run("abort");  // the same again
  EXPECT_EQ(run_shell("ls *.trace | wc -l", folder()).output, "3\n");
  std::filesystem::rename(folder_ / name_, folder_ / "mine");
  std::ofstream(folder_ / name_) << "somebody else's";
  const Outcome beside = run("abort");
  EXPECT_EQ(contents(folder_ / name_), "somebody else's");
  EXPECT_THAT(beside.output, HasSubstr(name_.substr(0, name_.size() - 6) + "-2.trace\n"));
}

}  // namespace
}  // namespace heddle
