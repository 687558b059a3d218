// `heddle run` as a user meets it: real programs (tests/run_programs), real processes, and what is printed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "support/kernel.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_heddle;
using testing::run_shell;
using ::testing::StartsWith;

std::string program(const std::string& name) { return std::string(HEDDLE_RUN_PROGRAMS "/") + name; }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What is printed, without the time that it took and the line on how to go on.
std::string timeless(const std::string& text) {
  return std::regex_replace(text, std::regex(" executions?, [^\n]*|  go on [^\n]*"), "");
}

class Run : public ::testing::Test {
 protected:
  /// `words`: options and program, for a shell.
  Outcome run(const std::string& words, const std::string& input = "</dev/null") {
    return run_heddle("run --trace-dir '" + folder_.path() + "' " + words + " " + input);
  }
  Outcome act(const std::string& name, const std::string& options = "", const std::string& input = "</dev/null") {
    return run(options + " -- " + program("act") + " " + name, input);
  }
  std::vector<std::string> traces() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string trace_name() const { return traces().size() == 1 ? traces()[0] : "not one trace"; }
  std::string trace(const std::string& name) const { return contents(folder_ / name); }
  Outcome replay(const std::string& name) { return run_heddle("replay '" + folder_ / name + "' </dev/null"); }

  /// It is found, seen twice, kept in one trace, and that replays.
  void expect_bug(const std::string& name, const std::string& kind, const std::string& sentence,
                  const std::string& options = "") {
    const Outcome found = act(name, options);
    EXPECT_EQ(found.code, 2) << found.output;
    EXPECT_THAT(found.output, AllOf(HasSubstr(sentence), HasSubstr("seen twice")));
    ASSERT_EQ(traces().size(), 1u);
    EXPECT_THAT(trace(trace_name()), HasSubstr("\nverdict " + kind + " "));
    const Outcome again = replay(trace_name());
    EXPECT_EQ(again.code, 2) << again.output;
    EXPECT_THAT(again.output, AllOf(HasSubstr("BUG again: "), HasSubstr(sentence)));
  }
  void expect_nothing(const std::string& name, const std::string& options = "--executions 200") {
    const Outcome nothing = act(name, options);
    EXPECT_EQ(nothing.code, 0) << nothing.output;
    EXPECT_THAT(nothing.output, HasSubstr("nothing found in "));
    EXPECT_TRUE(traces().empty());
  }
  void expect_refusal(const std::string& words, const std::string& sentence) {
    const Outcome refused = run(words);
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.output, "heddle: " + sentence + "\n");
    EXPECT_TRUE(traces().empty());
  }

  testing::TemporaryFolder folder_;
};

// --- wrong use -------------------------------------------------------------------------------------------------------

using RunRefuses = Run;

TEST_F(RunRefuses, ToGuessWhichProgram) {
  expect_refusal("", "no program was given; see heddle run --help");
  expect_refusal("--seed 1 --", "no program was given; see heddle run --help");
}

TEST_F(RunRefuses, WhatIsNotThere) {
  expect_refusal("/no/such/program", "there is no program /no/such/program");
  expect_refusal("no-such-program",
                 "there is no program no-such-program in PATH (to run one in this folder, type ./no-such-program)");
}

TEST_F(RunRefuses, ADirectory) { expect_refusal("-- /usr", "/usr is a directory, not a program"); }

TEST_F(RunRefuses, AFileWithoutTheRunBit) {
  testing::TemporaryFolder other;
  fs::copy(program("act"), other / "act");
  fs::permissions(other / "act", fs::perms::owner_read);
  expect_refusal(other / "act", other / "act" + " cannot be run: Permission denied");
}

TEST_F(RunRefuses, AScript) {
  testing::TemporaryFolder other;
  std::ofstream(other / "script") << "#!/bin/sh\necho ran\n";
  fs::permissions(other / "script", fs::perms::owner_all);
  expect_refusal(other / "script", other / "script" + " is a script: give heddle the program that it starts");
}

TEST_F(RunRefuses, WhatIsNoProgram) {
  testing::TemporaryFolder other;
  for (const char* text : {"", "some text that is longer than the header of a program, which has sixty-four bytes"}) {
    std::ofstream(other / "text") << text;
    fs::permissions(other / "text", fs::perms::owner_all);
    expect_refusal(other / "text", other / "text" + " is not an executable this system can load");
  }
}

TEST_F(RunRefuses, AStaticProgram) {
  expect_refusal(program("static_alone"),
                 program("static_alone") +
                     " is linked statically: heddle can only be loaded into programs that are linked dynamically (link "
                     "it without -static, or call heddle::explore in it)");
}

TEST_F(RunRefuses, AProgramOfAnotherUser) {
  testing::TemporaryFolder other;
  fs::copy(program("act"), other / "act");
  ASSERT_EQ(chmod((other / "act").c_str(), S_ISUID | 0755), 0);
  expect_refusal(other / "act", other / "act" +
                                    " runs as another user (set-uid or set-gid), and the system loads nothing else "
                                    "into such a program");
}

TEST_F(RunRefuses, WrongOptions) {
  const std::string words = " -- " + program("act") + " correct";
  const std::string see = "; see heddle run --help";
  const Outcome strategy = run("--strategy frob" + words);
  EXPECT_EQ(strategy.code, 1);
  EXPECT_THAT(strategy.output, AllOf(StartsWith("heddle: "), HasSubstr("frob")));
  EXPECT_EQ(count_of(strategy.output, "\n"), 1u) << strategy.output;
  expect_refusal(
      "--fail-on-output '(' " + words,
      "--fail-on-output `(` is not a regular expression (Mismatched '(' and ')' in regular expression)" + see);
  expect_refusal("--max-steps 0" + words, "--max-steps must be at least 1; see heddle run --help");
  expect_refusal("--frob" + words, "there is no option --frob; see heddle run --help");
  expect_refusal("--exit-codes 256" + words,
                 "--exit-codes must be exit codes from 0 to 255 with commas between them, not `256`" + see);
  const Outcome folder = run_heddle("run --trace-dir /no/such/folder" + words);
  EXPECT_EQ(folder.code, 1);
  EXPECT_EQ(folder.output, "heddle: there is no folder /no/such/folder for the traces\n");
}

// --- how a program ends ----------------------------------------------------------------------------------------------

using RunFinds = Run;

TEST_F(RunFinds, AnExitCode) { expect_bug("exit", "exited", "the program ended with exit code 3"); }
TEST_F(RunFinds, AnAbort) { expect_bug("abort", "aborted", "abort was called"); }
TEST_F(RunFinds, AnAssertion) { expect_bug("assert", "assertion", "assertion `winner == 2` failed at act.cpp:"); }
TEST_F(RunFinds, ACrash) { expect_bug("crash", "signal", "segmentation fault at address 0x0"); }
TEST_F(RunFinds, ADeadlock) { expect_bug("deadlock", "deadlock", "deadlock"); }
TEST_F(RunFinds, ACallOfExitInAThread) {
  expect_bug("exit-in-a-thread", "exited", "the program ended with exit code 4");
}
TEST_F(RunFinds, ACallOf_exitInAThread) {
  expect_bug("_exit-in-a-thread", "exited", "the program ended with exit code 5");
}
TEST_F(RunFinds, AnExceptionOfMain) {
  expect_bug("throw", "exception", "uncaught exception std::runtime_error: the first came last");
}
TEST_F(RunFinds, AnExceptionOfAThreadThatIsNotOfTheStandard) {
  expect_bug("throw-strange", "exception", "uncaught exception (anonymous namespace)::Strange");
}
TEST_F(RunFinds, AnAbortWhileAnExceptionIsHandled) { expect_bug("abort-in-catch", "aborted", "abort was called"); }
TEST_F(RunFinds, AThreadThatIsDestroyedUnjoined) {
  expect_bug("terminate", "aborted", "the C++ library called abort, with no exception in flight");
}

TEST_F(RunFinds, AnAssertionOfAProgramThatClosedAllDescriptors) {
  expect_bug("close-everything", "assertion", "assertion `winner == 2` failed");
}

TEST_F(RunFinds, ThatTheProcessWasKilled) {
  expect_bug("kill", "signal", "SIGKILL was sent, and the program does not handle it");
}

using RunPasses = Run;

TEST_F(RunPasses, ACorrectProgram) { expect_nothing("correct"); }
TEST_F(RunPasses, ExitCodesThatTheUserAccepts) { expect_nothing("exit", "--executions 200 --exit-codes 0,3"); }
TEST_F(RunPasses, AMainThatLeavesBeforeItsThreads) { expect_nothing("main-leaves"); }
TEST_F(RunPasses, ThreadsThatTheEndOfMainEnds) { expect_nothing("daemons"); }

TEST_F(RunPasses, AProgramWithoutThreadsOnce) {
  const Outcome once = act("alone");
  EXPECT_EQ(once.code, 0);
  EXPECT_EQ(
      once.output,
      "heddle: act: it ran once and ended well; it never starts a second thread, so there is nothing to explore\n");
}

TEST_F(RunFinds, TheFailureOfAProgramWithoutThreads) {
  expect_bug("alone-and-failing", "exited", "the program ended with exit code 6");
}

TEST_F(RunFinds, ExitCodeZeroWhereItIsNotAccepted) {
  expect_bug("correct", "exited", "the program ended with exit code 0", "--exit-codes 3");
}

// --- the user's rules ------------------------------------------------------------------------------------------------

TEST_F(RunFinds, OutputThatMustNotBe) {
  expect_bug("say-winner", "failed", "the output has `winner 1`", "--fail-on-output '^winner 1$'");
}

TEST_F(RunPasses, OutputThatDoesNotMatch) {
  expect_nothing("say-winner", "--executions 200 --fail-on-output 'winner [3-9]'");
}

TEST_F(RunFinds, OutputThatTheOracleRejects) {
  expect_bug("say-winner", "failed", "the command that judges the output rejects it", "--oracle 'grep -q winner.2'");
}

TEST_F(RunPasses, OutputThatTheOracleAccepts) {
  expect_nothing("say-winner", "--executions 200 --oracle 'grep winner'");
}

TEST_F(RunFinds, TooManySteps) { expect_bug("correct", "failed", " steps, and 3 are allowed", "--within-steps 3"); }
TEST_F(RunPasses, FewEnoughSteps) { expect_nothing("correct", "--executions 200 --within-steps 1000"); }

TEST_F(RunFinds, TwoOutputs) {
  const Outcome found = act("say-winner", "--same-output");
  EXPECT_EQ(found.code, 2);
  ASSERT_THAT(traces(), ElementsAre(StartsWith("act.failed."), StartsWith("act.passed.")));
  EXPECT_THAT(found.output, AllOf(HasSubstr("the output differs from that of the first execution, first in line 2"),
                                  HasSubstr(traces()[0]), HasSubstr(traces()[1]), HasSubstr("    winner 1\n"),
                                  HasSubstr("    winner 2\n")));
  EXPECT_EQ(count_of(found.output, "BUG"), 1u) << found.output;
  const Outcome different = replay(traces()[0]);
  EXPECT_EQ(different.code, 2) << different.output;
  const Outcome first = replay(traces()[1]);
  EXPECT_EQ(first.code, 0) << first.output;
}

TEST_F(RunPasses, OneOutput) { expect_nothing("correct", "--executions 200 --same-output"); }

TEST_F(RunFinds, AProgramWithoutEnd) {
  expect_bug("yield-for-ever", "livelock", "no end after 500 steps", "--strategy random --max-steps 500");
}

TEST_F(RunFinds, EachDifferentBugOnce) {
  const Outcome found = act("two-bugs", "--keep-going --executions 300 --strategy random");
  EXPECT_EQ(found.code, 2);
  ASSERT_THAT(traces(), ElementsAre(StartsWith("act.aborted."), StartsWith("act.assertion.")));
  EXPECT_EQ(count_of(found.output, "BUG "), 2u) << found.output;
  EXPECT_THAT(found.output,
              AllOf(HasSubstr("assertion `before == 2 || winner == 2` failed"), HasSubstr("abort was called"),
                    HasSubstr("heddle: act: 2 different bugs in 300 executions")));
  EXPECT_THAT(trace(traces()[1]), HasSubstr("\nverdict assertion "));
  for (const std::string& name : traces()) EXPECT_EQ(replay(name).code, 2) << name;
}

// --- bounds and seeds ------------------------------------------------------------------------------------------------

using RunStops = Run;

TEST_F(RunStops, AndSaysHowToGoOn) {
  const Outcome outcome = act("correct", "--executions 5 --strategy random --fail-on-output 'a b' --exit-codes 0,3");
  EXPECT_THAT(outcome.output, HasSubstr("  go on   heddle run --time 60 --seed 2 --strategy random --exit-codes 0,3 "
                                        "--fail-on-output 'a b' --trace-dir " +
                                        folder_.path() + " -- " + program("act") + " correct\n"));
}

TEST_F(RunStops, AfterSoManyExecutions) {
  EXPECT_THAT(act("correct", "--executions 57 --strategy random").output, HasSubstr("nothing found in 57 executions"));
}

TEST_F(RunStops, AfterSoMuchTime) {
  const Outcome outcome = act("correct", "--time 0.3 --strategy random");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("nothing found in "));
}

TEST_F(RunStops, WhenEverythingWasExplored) {
  const Outcome outcome = act("correct", "--strategy dfs --executions 100000");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("every schedule"));
}

using RunRepeats = Run;

TEST_F(RunRepeats, ASeed) {
  const std::string options = "--strategy random --executions 150 --seed 5";
  const Outcome first = act("correct", options);
  EXPECT_THAT(first.output, HasSubstr("150 executions"));
  EXPECT_EQ(timeless(first.output), timeless(act("correct", options).output));
  const Outcome found = act("assert", "--strategy random --seed 5");
  const std::string trace_of_first = trace(trace_name());
  EXPECT_EQ(timeless(found.output), timeless(act("assert", "--strategy random --seed 5").output));
  EXPECT_EQ(trace(trace_name()), trace_of_first);
}

TEST_F(RunRepeats, UnderEveryIsolation) {
  for (const char* strategy : {"random", "pct", "dfs"}) {
    const std::string options = std::string("--executions 150 --seed 5 --strategy ") + strategy;
    EXPECT_EQ(timeless(act("correct", options + " --isolation fork").output),
              timeless(act("correct", options + " --isolation prefix").output));
    EXPECT_EQ(timeless(act("correct", options + " --isolation fork").output),
              timeless(act("correct", options + " --isolation rewind").output));
    act("assert", options + " --isolation fork");
    const std::string by_fork = trace(trace_name());
    for (const char* isolation : {"prefix", "rewind"}) {
      act("assert", options + " --isolation " + isolation);
      EXPECT_EQ(by_fork, trace(trace_name())) << strategy << " " << isolation;
    }
  }
}

TEST_F(RunRepeats, WhatComesAfterAStep) { expect_bug("long-start", "assertion", "winner == 2", "--from-step 150"); }

// --- rewinding -------------------------------------------------------------------------------------------------------

using RunRewinds = Run;

/// The oracle sees that heap blocks and descriptors are the same in every execution.
TEST_F(RunRewinds, ToWhatWasBeforeMain) {
  for (const char* isolation : {"rewind", "prefix", "fork"}) {
    const Outcome nothing =
        act("find-all-fresh", std::string("--strategy random --executions 200 --same-output --isolation ") + isolation);
    EXPECT_EQ(nothing.code, 0) << nothing.output;
    EXPECT_THAT(nothing.output, AllOf(HasSubstr("nothing found in 200 executions"), Not(HasSubstr("note"))))
        << isolation;
  }
}

TEST_F(RunRewinds, AfterEveryKindOfFailure) {
  expect_bug("crash", "signal", "segmentation fault", "--isolation rewind");
  fs::remove(folder_ / trace_name());
  expect_bug("deadlock", "deadlock", "waits for", "--isolation rewind");
  fs::remove(folder_ / trace_name());
  expect_bug("exit", "exited", "exit code 3", "--isolation rewind");
}

/// The program sees by itself whether a page was left as another execution made it.
TEST_F(RunRewinds, MuchMemoryOfWhichLittleIsTouched) {
  const std::string words = " --executions 150 --strategy random --list-schedules ";
  const auto explore = [&](const std::string& isolation) {
    const std::string list = folder_ / isolation;
    const Outcome nothing = run("--isolation " + isolation + words + "'" + list + "' -- " + program("large_memory"));
    EXPECT_EQ(nothing.code, 0) << nothing.output;
    return nothing.output + contents(list);
  };
  if (!test::kernel_scans_pages()) GTEST_SKIP() << "this kernel does not tell what was touched";
  EXPECT_EQ(timeless(explore("rewind")), timeless(explore("fork")));
}

/// Where the kernel does not tell what was touched, to copy everything back would take longer than to fork.
TEST_F(RunRewinds, NotMuchMemoryIfNobodyTellsWhatWasTouched) {
  const Outcome nothing =
      run_shell("HEDDLE_PAGE_TRACKING=copy '" HEDDLE_COMMAND_PATH "' run --isolation rewind --executions 3 -- " +
                program("large_memory") + " </dev/null");
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, HasSubstr("forked, not rewound: it has more memory than it pays to put back"));
}

TEST_F(RunRewinds, OnlyWhatCanBeUndone) {
  const Outcome nothing = act("start-child", "--executions 5 --isolation rewind");
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, AllOf(HasSubstr("forked, not rewound: it starts other processes"),
                                    HasSubstr("the program starts other processes: they run free")));
}

// --- choosing the isolation ------------------------------------------------------------------------------------------

class RunChooses : public Run {
 protected:
  void expect_choice(const std::string& act_name, const std::string& line, const std::string& options) {
    const std::string words = "--strategy random --seed 3 " + options + " --list-schedules ";
    const Outcome chosen = act(act_name, words + "'" + folder_ / "auto" + "'");
    EXPECT_THAT(chosen.output, HasSubstr("\n  isolation " + line + "\n")) << act_name;
    const Outcome forked = act(act_name, "--isolation fork " + words + "'" + folder_ / "fork" + "'");
    EXPECT_EQ(chosen.code, forked.code) << act_name << chosen.output << forked.output;
    EXPECT_EQ(contents(folder_ / "auto"), contents(folder_ / "fork")) << act_name;
  }
};

TEST_F(RunChooses, RewindForWhatOnlyTouchesMemory) {
  for (const char* name : {"correct", "exit", "deadlock", "crash", "two-bugs", "find-all-fresh", "threads-that-exit"})
    expect_choice(name, "rewind (the program only changed memory)", "--executions 100");
}

/// Most of it happens only after several executions: those are not counted, and all begins anew.
TEST_F(RunChooses, PrefixForWhatCannotBeUndone) {
  expect_choice("start-child", "prefix (it starts other processes)", "--executions 5");
  expect_choice("leave-directory", "prefix (it changes its directory)", "--executions 100");
  expect_choice("leave-umask", "prefix (it changes its umask)", "--executions 100");
  expect_choice("leave-limit", "prefix (it changes its limits)", "--executions 100");
  expect_choice("leave-mapping", "prefix (it leaves memory mapped)", "--executions 100");
  expect_choice("end-unseen", "prefix (the program ends or blocks its process)", "--executions 100");
}

TEST_F(RunChooses, AnewWithTheInputFromItsBeginning) {
  const Outcome nothing = act("read-and-leave-directory", "--executions 20", "<" + program("act"));
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, HasSubstr("prefix (it changes its directory)"));
}

TEST_F(RunChooses, PrefixForAHeapThatIsNotHeddles) {
  const Outcome nothing = run("--executions 5 " + program("use_after_free_fixed"));
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, HasSubstr("\n  isolation prefix (it has the allocator of AddressSanitizer)\n"));
}

TEST_F(RunChooses, PrefixForAStartThatTakesLongerThanAFork) {
  expect_choice("start-slowly", "prefix (its start takes longer than a fork)", "--executions 20");
}

TEST_F(RunChooses, PrefixForOneThatStandsStill) {
  const Outcome nothing = act("stand-unseen", "--strategy random --seed 1 --executions 5");
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, AllOf(HasSubstr("nothing found in 5 executions"),
                                    HasSubstr("\n  isolation prefix (the program ends or blocks its process)\n"),
                                    HasSubstr("is in a system call that heddle does not control")));
}

TEST_F(RunChooses, NothingIfItWasAskedForOne) {
  for (const char* isolation : {"prefix", "fork", "rewind"})
    EXPECT_THAT(act("correct", std::string("--executions 5 --isolation ") + isolation).output,
                Not(HasSubstr("  isolation ")));
}

// --- what heddle does not control ------------------------------------------------------------------------------------

using RunNames = Run;

TEST_F(RunPasses, AProgramThatLocksAFile) { expect_nothing("file-lock", "--executions 100"); }

TEST_F(RunNames, ASpinAndGoesOn) {
  for (const char* isolation : {"prefix", "rewind"}) {
    const Outcome nothing =
        act("spin-on-flag", std::string("--strategy random --executions 3 --isolation ") + isolation);
    EXPECT_EQ(nothing.code, 0) << nothing.output;
    EXPECT_THAT(nothing.output, AllOf(HasSubstr("nothing found in 3 executions"),
                                      HasSubstr("control is partial: T0 computes without coming to a scheduling point"),
                                      HasSubstr("spin_on_flag")))
        << isolation;
  }
}

TEST_F(RunNames, ACallThatItDoesNotKnowAndGivesUp) {
  const Outcome nothing = act("wait-in-splice", "--strategy random --executions 1");
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output,
              AllOf(HasSubstr("is in a system call that heddle does not control"), HasSubstr("at splice")));
}

// --- misuse ----------------------------------------------------------------------------------------------------------

TEST_F(RunFinds, MisuseUnlessItIsAllowed) {
  expect_bug("unlock-as-stranger", "misuse", "[unlock-not-owner]");
  fs::remove(folder_ / trace_name());
  expect_nothing("unlock-as-stranger", "--executions 20 --allow unlock-not-owner");
  const Outcome refused = act("correct", "--allow relock,no-such-thing");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output,
              StartsWith("heddle: --allow names `no-such-thing`, which is not a misuse; there are unlock-not-owner, "));
}

using RunGives = Run;

TEST_F(RunGives, AllOfAFileToEveryExecution) {
  testing::TemporaryFolder other;
  std::ofstream(other / "input") << "one\ntwo\nthree\n";
  for (const char* name : {"copy-input", "copy-input-by-read"})
    for (const char* isolation : {"fork", "prefix"}) {
      const Outcome found =
          act(name, std::string("--strategy random --isolation ") + isolation, "<'" + other / "input" + "'");
      EXPECT_EQ(found.code, 2) << found.output;
      EXPECT_THAT(found.output, HasSubstr("  output\n    one\n    two\n    three\n")) << name << " " << isolation;
      EXPECT_EQ(count_of(found.output, "    two\n"), 1u);
    }
}

TEST_F(RunGives, AllOfAPipeToEveryExecution) {
  for (const char* name : {"copy-input", "copy-input-by-read"})
    for (const char* isolation : {"fork", "prefix"}) {
      const Outcome found =
          run_shell("printf 'one\\ntwo\\nthree\\n' | '" HEDDLE_COMMAND_PATH "' run --trace-dir '" + folder_.path() +
                    "' --strategy random --isolation " + isolation + " -- " + program("act") + " " + name);
      EXPECT_EQ(found.code, 2) << found.output;
      EXPECT_THAT(found.output, HasSubstr("  output\n    one\n    two\n    three\n")) << name << " " << isolation;
    }
}

TEST_F(RunGives, BackWhatWasWrittenBeforeTheFirstThreadOnce) {
  for (const char* isolation : {"--isolation fork", "--isolation prefix"}) {
    const Outcome found = act("say-winner", std::string("--strategy random --fail-on-output 'winner 1' ") + isolation);
    EXPECT_THAT(found.output, HasSubstr("  output\n    before\n    winner 1\n")) << isolation;
    EXPECT_EQ(count_of(found.output, "    before\n"), 1u) << found.output;
  }
}

/// The line in which a program tells the first descriptor that it gets, without heddle: whoever runs the tests may have
/// left some open.
std::string first_descriptor() {
  const Outcome alone = run_shell(program("act") + " surroundings </dev/null 2>/dev/null");
  return alone.output.substr(alone.output.find("descriptor "));
}

TEST_F(RunGives, ItsArgumentsAndSurroundingsUnchanged) {
  const Outcome found = run_heddle(
      "--version >/dev/null; TEST_ONE='a b' TEST_TWO= LD_LIBRARY_PATH=/nowhere '" HEDDLE_COMMAND_PATH "' run -- " +
          program("act") + " surroundings 'with blanks' '' --seed -x '*' -- </dev/null",
      folder_.path());
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.output,
              HasSubstr("  output\n    argument with blanks\n    argument \n    argument --seed\n    argument -x\n"
                        "    argument *\n    argument --\n    directory " +
                        fs::canonical(folder_.path()).string() + "\n"));
  EXPECT_THAT(found.output, AllOf(HasSubstr("    variable TEST_ONE=a b\n"), HasSubstr("    variable TEST_TWO=\n"),
                                  HasSubstr("    variable LD_LIBRARY_PATH=/nowhere\n"), Not(HasSubstr("LD_PRELOAD")),
                                  Not(HasSubstr("variable HEDDLE"))));
  EXPECT_THAT(found.output, HasSubstr("    " + first_descriptor()));
  EXPECT_THAT(found.output, HasSubstr("  standard error\n    to standard error\n"));
  EXPECT_EQ(traces().size(), 1u);
}

TEST_F(RunGives, BackTheLibrariesThatTheUserLoads) {
  const Outcome found = run_shell("LD_PRELOAD=libm.so.6 '" HEDDLE_COMMAND_PATH "' run --trace-dir '" + folder_.path() +
                                  "' " + program("act") + " surroundings </dev/null");
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.output, HasSubstr("    variable LD_PRELOAD=libm.so.6\n"));
}

TEST_F(RunGives, AProgramFromThePathWithoutDashes) {
  const Outcome found = run_shell("PATH=" HEDDLE_RUN_PROGRAMS " '" HEDDLE_COMMAND_PATH "' run --trace-dir '" +
                                  folder_.path() + "' act surroundings --executions 5 </dev/null");
  EXPECT_EQ(found.code, 2);
  EXPECT_THAT(found.output, HasSubstr("    argument --executions\n    argument 5\n"));
}

TEST_F(RunGives, TheProgramAloneWhenFree) {
  const Outcome free = act("surroundings", "--free");
  EXPECT_EQ(free.code, 9);
  EXPECT_THAT(free.output,
              AllOf(HasSubstr("\n" + first_descriptor()), Not(HasSubstr("HEDDLE")), Not(HasSubstr("LD_PRELOAD"))));
}

// --- replays ---------------------------------------------------------------------------------------------------------

using RunReplays = Run;

TEST_F(RunReplays, ThatGoAnotherWayAreRefusedForAnotherBuild) {
  testing::TemporaryFolder other;
  fs::copy(program("act"), other / "act");
  ASSERT_EQ(run(other / "act" + " assert").code, 2);
  fs::remove(other / "act");
  fs::copy(program("use_after_free"), other / "act");
  const Outcome refused = replay(trace_name());
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output, StartsWith("heddle: this trace was made by another build of " + other / "act"));
  EXPECT_EQ(count_of(refused.output, "\n"), 1u);
  fs::remove(other / "act");
  const Outcome gone = replay(trace_name());
  EXPECT_EQ(gone.code, 1);
  EXPECT_EQ(gone.output, "heddle: " + other / "act" + ", the program of this trace, does not exist: build it again\n");
}

TEST_F(RunReplays, WithItsArgumentsAndRules) {
  ASSERT_EQ(act("say-winner more", "--fail-on-output 'winner 1'").code, 2);
  const Outcome again = replay(trace_name());
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.output, AllOf(HasSubstr("BUG again: "), HasSubstr("the output has `winner 1`"),
                                  HasSubstr("    argument more\n    before\n    winner 1\n")));
}

// --- Ctrl-C ----------------------------------------------------------------------------------------------------------

class RunInterrupted : public Run {
 protected:
  /// Starts it, waits until it explores, interrupts it, and returns what it printed.
  Outcome interrupt(const std::string& name) {
    const std::string log = folder_ / "log";
    const pid_t process = fork();
    if (process == 0) {
      const int output = open(log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      const int input = open("/dev/null", O_RDONLY);
      dup2(input, 0);
      dup2(output, 1);
      dup2(output, 2);
      alarm(60);
      execl(HEDDLE_COMMAND_PATH, HEDDLE_COMMAND_PATH, "run", "--until-bug", "--strategy", "random", "--",
            program("act").c_str(), name.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    wait_for_child_of(process);
    kill(process, SIGINT);
    int status = 0;
    waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(log)};
  }

 private:
  static void wait_for_child_of(pid_t process) {
    const std::string path = "/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children";
    const auto child_of = [](const std::string& file) { return contents(file); };
    for (int i = 0; i < 3000; ++i) {
      std::string children = child_of(path);
      if (!children.empty()) {
        children.resize(children.find(' '));
        const std::string grandchildren = child_of("/proc/" + children + "/task/" + children + "/children");
        if (!grandchildren.empty()) return;  // a copy: it explores
      }
      usleep(10'000);
    }
    FAIL() << "it never came to explore";
  }
};

TEST_F(RunInterrupted, ReportsWhatWasExplored) {
  const Outcome outcome = interrupt("correct");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("act: stopped: nothing found in "), Not(HasSubstr("fault"))));
}

TEST_F(RunInterrupted, EndsAProgramThatHeddleCannotInterrupt) {
  const Outcome outcome = interrupt("spin-for-ever");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("act: stopped: nothing found in "), Not(HasSubstr("fault"))));
  EXPECT_EQ(traces(), std::vector<std::string>{"log"});
}

// --- AddressSanitizer ------------------------------------------------------------------------------------------------

using RunWithAddressSanitizer = Run;

TEST_F(RunWithAddressSanitizer, FindsAUseAfterFree) {
  for (const char* isolation : {"--isolation fork ", "--isolation prefix "}) {
    const Outcome found = run(isolation + program("use_after_free"));
    EXPECT_EQ(found.code, 2) << found.output;
    EXPECT_THAT(found.output,
                AllOf(HasSubstr("AddressSanitizer found a memory error: heap-use-after-free"), HasSubstr("seen twice"),
                      HasSubstr("ERROR: AddressSanitizer: heap-use-after-free on address")));
    EXPECT_THAT(trace(trace_name()), HasSubstr("\nverdict memory-error "));
    const Outcome again = replay(trace_name());
    EXPECT_EQ(again.code, 2) << again.output;
    EXPECT_THAT(again.output,
                AllOf(HasSubstr("BUG again: "), HasSubstr("ERROR: AddressSanitizer: heap-use-after-free")));
  }
}

TEST_F(RunWithAddressSanitizer, FindsNothingInTheCorrectTwin) {
  const Outcome nothing = run("--executions 200 " + program("use_after_free_fixed"));
  EXPECT_EQ(nothing.code, 0) << nothing.output;
  EXPECT_THAT(nothing.output, HasSubstr("nothing found in "));
}

// --- the documentation -----------------------------------------------------------------------------------------------

using RunIsDocumented = Run;

/// The block in docs/run.md that begins with this line, without it.
std::string block_after(const std::string& command) {
  const std::string page = contents(HEDDLE_TESTS_DIR "/../docs/run.md");
  const std::string line = "```\n$ " + command + "\n";
  const std::size_t at = page.find(line);
  if (at == std::string::npos) return "not in docs/run.md: " + command;
  const std::size_t begin = at + line.size();
  return page.substr(begin, page.find("```\n", begin) - begin);
}

TEST_F(RunIsDocumented, WithWhatItPrints) {
  const std::string example = HEDDLE_BUILD_DIR "/examples/tickets";
  const Outcome found = run_heddle("run " + example + " </dev/null", folder_.path());
  EXPECT_EQ(found.code, 2);
  EXPECT_EQ(found.output, block_after("heddle run ./tickets"));
  const Outcome again = run_heddle("replay tickets.exit-1.*.trace </dev/null", folder_.path());
  EXPECT_EQ(again.code, 2);
}

}  // namespace
}  // namespace heddle
