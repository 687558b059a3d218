// How much of a program is instrumented, as an exploration tells it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::run_shell;

const std::string kTold = " '" HEDDLE_TESTS_DIR "/cli/instrumented/told.cpp' ";
const std::string kUntold = " '" HEDDLE_TESTS_DIR "/cli/instrumented/untold.cpp' ";

/// Of each compiler: three functions have something to tell, and one has not; two are not instrumented.
class InstrumentedCode : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void shell(const std::string& line) {
    const Outcome outcome = run_shell(line, folder_.path());
    ASSERT_EQ(outcome.code, 0) << line << "\n" << outcome.output;
  }
  std::string plain() const { return std::string(std::get<0>(GetParam())) + " " + std::get<1>(GetParam()) + " "; }
  std::string instrumenting() const {
    return std::string("HEDDLE_CXX=") + std::get<0>(GetParam()) + " '" HEDDLE_COMMAND_PATH "' c++ " +
           std::get<1>(GetParam()) + " -pthread ";
  }
  std::string run(const std::string& words) {
    const Outcome outcome = run_shell("'" HEDDLE_COMMAND_PATH "' run -n 5 " + words, folder_.path());
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return outcome.output;
  }

  testing::TemporaryFolder folder_;
};

TEST_P(InstrumentedCode, OfAMixedProgramIsTold) {
  shell(plain() + "-c" + kUntold + "-o untold.o");
  shell(instrumenting() + kTold + "untold.o -o mixed");
  EXPECT_THAT(run("./mixed"),
              ::testing::ContainsRegex("  code    instrumented: [0-9]+ % of mixed \\(3 of 5 functions\\)"));
  shell(instrumenting() + kTold + kUntold + "-o whole");
  EXPECT_THAT(run("./whole"), HasSubstr("  code    instrumented: all of whole (5 of 5 functions)\n"));
}

TEST_P(InstrumentedCode, IsToldOfEachModule) {
  shell(plain() + "-shared -fPIC" + kUntold + "-o libuntold.so");
  shell(instrumenting() + kTold + "./libuntold.so -Wl,-rpath,. -o parts");
  EXPECT_THAT(
      run("--json told.json ./parts"),
      HasSubstr("  code    instrumented: all of parts (3 of 3 functions), none of libuntold.so (0 of 2 functions)\n"));
  std::ifstream file(folder_ / "told.json");
  const nlohmann::json told = nlohmann::json::parse(file);
  ASSERT_EQ(told["instrumented"].size(), 2u);
  EXPECT_EQ(told["instrumented"][0]["instrumented_functions"], 3);
  EXPECT_EQ(told["instrumented"][1]["functions"], 2);
  EXPECT_EQ(told["instrumented"][1]["instrumented_bytes"], 0);
  EXPECT_EQ(told["executions"], 5);
  shell("strip -o bare parts");
  EXPECT_THAT(run("./bare"), HasSubstr("instrumented: bare has no symbols, none of libuntold.so"));
}

TEST_P(InstrumentedCode, IsNotToldOfAProgramThatIsNot) {
  shell(plain() + "-pthread" + kTold + kUntold + "-o plain");
  EXPECT_THAT(run("./plain"), Not(HasSubstr("instrumented")));
}

INSTANTIATE_TEST_SUITE_P(Compilers, InstrumentedCode,
                         ::testing::Combine(::testing::Values("g++", "clang++-14"),
                                            ::testing::Values("-O0", "-O1 -fno-plt", "-O2 -fno-inline")));

}  // namespace
}  // namespace heddle
