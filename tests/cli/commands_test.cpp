#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_heddle;
using ::testing::StartsWith;

const std::string kTrace = HEDDLE_TESTS_DIR "/trace/data/v1.trace";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Command, ExplainsItself) {
  const Outcome help = run_heddle("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* part : {"run", "heddle run ./", "docs/run.md", "replay", "show", "strategies",
                           "Examples:", "heddle show bank.assertion.7f3a.trace", "Exit codes: 0"})
    EXPECT_THAT(help.output, HasSubstr(part));
  for (const char* command : {"run", "replay", "show", "chart", "strategies"})
    EXPECT_EQ(run_heddle(std::string(command) + " --help").code, 0) << command;
}

TEST(Command, ExplainsItselfToWhomSaysNothing) {
  const Outcome nothing = run_heddle("");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.output, HasSubstr("Examples:"));
}

TEST(Command, HasTheVersionOfTheProject) {
  std::smatch version;
  const std::string project = contents(HEDDLE_TESTS_DIR "/../CMakeLists.txt");
  ASSERT_TRUE(std::regex_search(project, version, std::regex("project\\(heddle VERSION ([0-9.]+)")));
  const Outcome outcome = run_heddle("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "heddle " + version[1].str() + "\n");
}

TEST(Command, SaysWhatIsWrongInOneLine) {
  const Outcome unknown = run_heddle("frobnicate");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.output,
            "heddle: there is no command `frobnicate`; there are run, replay, show, chart, strategies, cc and c++\n");
  const Outcome missing = run_heddle("show");
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.output, "heddle: FILE is required; see heddle show --help\n");
  const Outcome option = run_heddle("replay --frob x");
  EXPECT_EQ(option.code, 1);
  EXPECT_EQ(option.output, "heddle: the following argument was not expected: --frob; see heddle replay --help\n");
}

TEST(Strategies, AreListedWithTheirParameters) {
  const Outcome outcome = run_heddle("strategies");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("\nrandom "));
  EXPECT_THAT(outcome.output, HasSubstr("\npct "));
  EXPECT_THAT(outcome.output, HasSubstr(" depth=3: "));
}

TEST(Chart, SaysWhatIsWrongInOneLine) {
  const Outcome plain = run_heddle("chart '" + kTrace + "'");
  EXPECT_EQ(plain.code, 1);
  EXPECT_EQ(plain.output, "heddle: " + kTrace +
                              " has no messages to show: it is not of a program of state machines (see "
                              "docs/actors.md)\n");
  const Outcome missing = run_heddle("chart /no/such.trace");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.output, HasSubstr("/no/such.trace"));
}

TEST(Show, PrintsTheReportOfATrace) {
  const Outcome outcome = run_heddle("show '" + kTrace + "'");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output,
              StartsWith("BUG found after 41,217 executions: assertion `total == 100` failed at bank.cpp:34\n"));
  EXPECT_THAT(outcome.output, HasSubstr("╳ preempted"));
  EXPECT_THAT(outcome.output, HasSubstr("  replay  heddle replay "));
}

TEST(Show, PrintsJson) {
  const Outcome outcome = run_heddle("show --json '" + kTrace + "' | python3 -m json.tool --compact");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("\"verdict\":{\"kind\":\"assertion\",\"operation\":\"T0\""));
  EXPECT_THAT(outcome.output,
              HasSubstr("{\"operation\":\"T1\",\"event\":\"lock\",\"resource\":\"m1\",\"choice\":true"));
}

TEST(Show, SaysWhatIsNoTrace) {
  const Outcome missing = run_heddle("show /no/such.trace");
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.output, "heddle: cannot open /no/such.trace: No such file or directory\n");
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "garbage") << std::string("\x7f\x45LF\0\0\xff", 7);
  const Outcome garbage = run_heddle("show " + folder / "garbage");
  EXPECT_EQ(garbage.code, 1);
  EXPECT_EQ(garbage.output,
            "heddle: " + folder / "garbage" + ":1: this is not a trace of heddle: expected `heddle trace 1`\n");
  std::ofstream(folder / "newer") << "heddle trace 2\n";
  const Outcome newer = run_heddle("show " + folder / "newer");
  EXPECT_EQ(newer.code, 1);
  EXPECT_THAT(newer.output, HasSubstr("written by a newer heddle (version 2); this one reads up to 1\n"));
}

}  // namespace
}  // namespace heddle
