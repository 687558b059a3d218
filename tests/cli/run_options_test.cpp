// `heddle run` takes every option of the table: from the command line to the program, into the trace, and into the line
// that goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/run.hpp"
#include "options/samples.hpp"
#include "options/table.hpp"

namespace heddle {
namespace {

using options::Option;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_heddle;
using ::testing::StartsWith;

class RunOption : public ::testing::TestWithParam<Option> {
 protected:
  RunOption() {
    std::filesystem::create_directory(folder_ / "folder");
    std::ofstream(folder_ / "some.file") << "# no suppression\n";
  }

  std::string typed(const std::string& value) const {
    return "--" + std::string(option_.name) + (option_.argument.empty() ? "" : " " + quoted(value));
  }
  static std::string quoted(const std::string& text) {
    const bool is_plain = text.find_first_of(" '|") == std::string::npos;
    std::string quoted;
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return is_plain ? text : "'" + quoted + "'";
  }
  Outcome run(const std::string& words, const std::string& what) {
    return run_heddle("run " + words + " -- " HEDDLE_RUN_PROGRAMS "/act " + what, folder_.path());
  }

  const Option option_ = GetParam();
  const testing::Sample sample_ = testing::sample_of(option_);
  testing::TemporaryFolder folder_;
};

class OptionThatAReplayObeys : public RunOption {};
class OptionWithAnArgument : public RunOption {};
class OptionThatGoesOn : public RunOption {};

TEST_P(OptionThatAReplayObeys, StandsInTheTraceAndReplays) {
  const Outcome found = run(typed(sample_.value), "abort");
  ASSERT_EQ(found.code, 2) << found.output;
  const std::string trace = testing::run_shell("cat act.*.trace", folder_.path()).output;
  EXPECT_THAT(trace, HasSubstr("\noption " + std::string(option_.header) + "=" + sample_.value + "\n"));
  const Outcome again = run_heddle("replay act.*.trace", folder_.path());
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.output, HasSubstr("abort was called"));
}

TEST_P(OptionWithAnArgument, IsRefusedInOneLineThatSaysWhatIsAllowed) {
  const Outcome refused = run(typed(sample_.wrong), "correct");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output,
              AllOf(StartsWith("heddle: --" + std::string(option_.name) + " "), HasSubstr(sample_.allowed)));
  EXPECT_EQ(refused.output.find('\n'), refused.output.size() - 1) << refused.output;
}

TEST_P(OptionThatGoesOn, StandsInTheLineThatGoesOn) {
  const Outcome nothing = run("--executions 2 " + typed(sample_.value), "correct");
  EXPECT_EQ(nothing.code, 0);
  EXPECT_THAT(nothing.output, HasSubstr("  go on   heddle run --time 60 --seed 2 " + typed(sample_.value) + " -- "));
}

auto options_that(bool (*is_wanted)(const Option&)) {
  std::vector<Option> wanted;
  for (const Option& option : options::table())
    if (!option.name.empty() && is_wanted(option)) wanted.push_back(option);
  return ::testing::ValuesIn(wanted);
}

std::string name_of(const ::testing::TestParamInfo<Option>& row) {
  std::string name(row.param.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, OptionThatAReplayObeys, options_that([](const Option& o) { return !o.header.empty(); }),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Table, OptionWithAnArgument, options_that([](const Option& o) { return !o.argument.empty(); }),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Table, OptionThatGoesOn, options_that([](const Option& o) { return o.goes_on; }), name_of);

}  // namespace
}  // namespace heddle
