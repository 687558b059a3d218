// Whatever the table of options has a row for goes every way that an option can go.
#include "options/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "options/budget.hpp"
#include "options/environment.hpp"
#include "options/samples.hpp"
#include "options/trace_header.hpp"
#include "support/environment_variable.hpp"

namespace heddle::options {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::Variable;

std::string called(const Option& option) { return std::string(option.name.empty() ? option.header : option.name); }

std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(HEDDLE_TESTS_DIR "/../") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Row : public ::testing::TestWithParam<Option> {
 protected:
  /// As usual, but for this option.
  Values sampled() const {
    Values values;
    EXPECT_THAT(option_.field.set(values, sample_.value), IsEmpty());
    return values;
  }
  /// Has this option its sample, and every other the usual value?
  void expect_sample_alone(const Values& values) {
    for (const Option& other : table()) {
      const std::string expected = called(other) == called(option_) ? sample_.value : other.field.text(Values{});
      EXPECT_EQ(other.field.text(values), expected) << called(other);
    }
  }

  const Option option_ = GetParam();
  const testing::Sample sample_ = testing::sample_of(option_);
};

TEST_P(Row, IsWrittenAsItIsRead) {
  const Values values = sampled();
  EXPECT_FALSE(is_usual(option_, values)) << "the sample should differ from what is usual";
  expect_sample_alone(values);
}

TEST_P(Row, TakesItsUsualValueAsItIsWritten) {
  Values values = sampled();
  EXPECT_THAT(option_.field.set(values, option_.field.text(Values{})), IsEmpty());
  EXPECT_TRUE(is_usual(option_, values));
}

TEST_P(Row, RefusesAWrongValueAndKeepsTheOldOne) {
  Values values = sampled();
  EXPECT_THAT(option_.field.set(values, sample_.wrong), HasSubstr(sample_.allowed));
  expect_sample_alone(values);
}

TEST_P(Row, ComesBackFromTheHeaderOfATrace) {
  TraceHeader header;
  write_header(sampled(), header);
  Values values;
  EXPECT_THAT(read_header(header, values).text, IsEmpty());
  // Strategy and seed have lines of their own, and which points one execution had is settled when it is written.
  const bool is_kept = !option_.header.empty() || option_.name == "strategy" || option_.name == "seed";
  EXPECT_EQ(option_.field.text(values), is_kept ? sample_.value : option_.field.text(Values{}));
  if (option_.header.empty()) return;
  for (auto& [name, value] : header.options)
    if (name == option_.header) value = sample_.wrong;
  EXPECT_THAT(read_header(header, values).text,
              AllOf(StartsWith(std::string(option_.header) + " "), HasSubstr(sample_.allowed)));
}

TEST_P(Row, IsObeyedInTheEnvironment) {
  if (option_.variable.empty()) return;
  Values values;
  {
    const Variable set(option_.variable, sample_.value);
    EXPECT_THAT(read_environment(values), IsEmpty());
    expect_sample_alone(values);
    EXPECT_EQ(environment_to_go_on(),
              option_.goes_on ? std::string(option_.variable) + "=" + sample_.value : std::string());
  }
  const Variable wrong(option_.variable, sample_.wrong);
  EXPECT_THAT(read_environment(values),
              AllOf(StartsWith(std::string(option_.variable) + " "), HasSubstr(sample_.allowed)));
}

TEST_P(Row, IsDocumented) {
  if (!option_.name.empty()) {
    EXPECT_THAT(text_of_file("docs/run.md"), HasSubstr("`--" + std::string(option_.name)));
    EXPECT_FALSE(option_.help.empty());
    EXPECT_NE(option_.argument.empty(), option_.flag.empty()) << "it takes an argument or is a flag";
  }
  EXPECT_THAT(text_of_file("include/heddle/heddle.hpp"), HasSubstr(std::string(option_.variable)));
}

INSTANTIATE_TEST_SUITE_P(Options, Row, ::testing::ValuesIn(table().begin(), table().end()), [](const auto& row) {
  std::string name = called(row.param);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Table, HasEachNameOnce) {
  std::multiset<std::string_view> names, variables, headers;
  for (const Option& option : table()) {
    names.insert(option.name);
    variables.insert(option.variable);
    headers.insert(option.header);
  }
  for (const auto& all : {names, variables, headers})
    for (const std::string_view one : all) EXPECT_TRUE(one.empty() || all.count(one) == 1) << one;
}

TEST(Header, KeepsWhatTheEngineSaidOfThisExecution) {
  TraceHeader header;
  header.options = {{"points", "sync"}, {"promoted", "a+1"}};
  write_header(Values{}, header);
  EXPECT_EQ(header.option("points"), "sync");
  EXPECT_EQ(header.option("promoted"), "a+1");
  header.options.clear();
  write_header(Values{}, header);
  EXPECT_EQ(header.option("points"), "racy") << "where nothing is refined";
}

TEST(Header, ThatSaysNothingIsAsUsual) {
  Values values;
  values.steps_max = 7;
  values.spurious_wakeups = true;
  EXPECT_THAT(read_header(TraceHeader{}, values).text, IsEmpty());
  EXPECT_EQ(values.steps_max, Values{}.steps_max);
  EXPECT_FALSE(values.spurious_wakeups);
}

TEST(Environment, ATimeAloneLiftsTheBoundOnExecutions) {
  Values values;
  values.executions = 100;
  const Variable time("HEDDLE_TIME", "60");
  EXPECT_THAT(read_environment(values), IsEmpty());
  EXPECT_EQ(values.executions, 0u);
  const Variable executions("HEDDLE_EXECUTIONS", "7");
  EXPECT_THAT(read_environment(values), IsEmpty());
  EXPECT_EQ(values.executions, 7u);
}

TEST(Budget, WithoutABoundIsWhatAPersonLikesToWait) {
  Values values;
  EXPECT_EQ(budget_of(values).executions, 10'000u);
  EXPECT_EQ(budget_of(values).time_ns, 10'000'000'000u);
  EXPECT_EQ(budget_of(values).failures, 1u);
  values.keep_going = true;
  values.seconds = 0.5;
  EXPECT_EQ(budget_of(values).executions, 0u);
  EXPECT_EQ(budget_of(values).time_ns, 500'000'000u);
  EXPECT_EQ(budget_of(values).failures, 0u);
  values = {};
  values.until_bug = true;
  EXPECT_EQ(budget_of(values).executions, 0u);
  EXPECT_EQ(budget_of(values).time_ns, 0u);
}

}  // namespace
}  // namespace heddle::options
