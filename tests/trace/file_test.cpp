#include "trace/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "trace/bank.hpp"
#include "trace/generated.hpp"
#include "trace/same.hpp"

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kGolden = HEDDLE_TESTS_DIR "/trace/data/v1.trace";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(const std::string& text) { return parse_trace(text, "x.trace").error; }

/// The bank's trace with its first `from` replaced.
std::string bank_with(const std::string& from, const std::string& to) {
  std::string text = to_text(testing::bank_trace());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TraceFile, LoadsWhatItWrote) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Trace trace = testing::TraceGenerator(seed).trace();
    const LoadedTrace loaded = parse_trace(to_text(trace), "x.trace");
    ASSERT_TRUE(loaded.trace) << loaded.error << "\n" << to_text(trace);
    testing::expect_same(trimmed(trace), *loaded.trace);
    ASSERT_FALSE(::testing::Test::HasFailure()) << to_text(trace);
  }
}

TEST(TraceFile, LoadsWhatItWroteOfAnExecutionThatWasLost) {
  Random random(11);
  for (int i = 0; i < 1000; ++i) {
    std::vector<Choice> schedule;
    for (std::uint32_t left = random.below(20); left > 0; --left)
      schedule.push_back(random.below(3) == 0 ? Choice::of_value(random.below(9))
                                              : Choice::of_operation(OperationId{random.below(40)}));
    const Trace lost = trace_of_choices(schedule, random.below(5));  // its process may not have said how many
    const LoadedTrace loaded = parse_trace(to_text(lost), "lost");
    ASSERT_TRUE(loaded.trace) << loaded.error;
    EXPECT_EQ(loaded.trace->schedule(), schedule);
  }
}

TEST(TraceFile, KeepsTheSchedule) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Trace trace = testing::TraceGenerator(seed).trace();
    EXPECT_EQ(parse_trace(to_text(trace), "x.trace").trace->schedule(), trace.schedule());
  }
}

TEST(TraceFile, KeepsTheInnermostFramesAndOnlyUsedPlaces) {
  Trace trace;
  trace.operations.resize(1);
  for (std::uint64_t i = 0; i < 40; ++i) trace.places.push_back({"bank", i, {}});
  TraceStep step;
  step.operation = kMainOperation;
  for (std::uint32_t i = 39; i >= 10; --i) step.stack.push_back(i);
  trace.steps.push_back(step);
  const Trace cut = trimmed(trace);
  ASSERT_EQ(cut.steps[0].stack.size(), kFramesMax);
  ASSERT_EQ(cut.places.size(), kFramesMax);
  EXPECT_EQ(cut.places[cut.steps[0].stack[0]].offset, 39u);
}

TEST(TraceFile, ReadsLikeAStory) {
  const std::string text = to_text(testing::bank_trace());
  EXPECT_THAT(text, StartsWith("heddle trace 1\nprogram /home/ann/bank\nargument --accounts\n"));
  EXPECT_THAT(text, HasSubstr("\n   4 * T1 lock m1 (from) at bank.cpp:11 {2,3}\n"));
  EXPECT_THAT(text, HasSubstr("\n   6 ! T2 start {}\n"));
  EXPECT_THAT(text, HasSubstr("\n   9   T2 choose =1/3 at bank.cpp:14 {5,3}\n"));
  EXPECT_THAT(text, HasSubstr("\n  14   T0 join T1 at bank.cpp:29 {"));
  EXPECT_THAT(text, HasSubstr("\n  m2 mutex as to\n"));
}

TEST(TraceFile, RefusesLocksThatItCannotKnow) {
  const std::string access = "access T1 write 4 {} holding ";
  const std::string before = "verdict assertion";
  EXPECT_EQ(error_of(bank_with(before, access + "m1@4\n" + before)), "");
  for (const char* wrong : {"m1", "m1@", "m9@4", "m1@4x", "m1@17"})
    EXPECT_THAT(error_of(bank_with(before, access + wrong + "\n" + before)), HasSubstr("expected")) << wrong;
}

TEST(TraceFile, RefusesAMentionThatItCannotKnow) {
  const std::string before = "verdict assertion";
  EXPECT_EQ(error_of(bank_with(before, "mention m1 3 8\n" + before)), "");
  for (const char* wrong : {"m9 3 8", "m1", "m1 3", "m1 x 8", "m1 3 8x", "m1 3 70000"})
    EXPECT_THAT(error_of(bank_with(before, std::string("mention ") + wrong + "\n" + before)), HasSubstr("expected"))
        << wrong;
}

TEST(TraceFile, LoadsVersion1ForEver) {
  const LoadedTrace loaded = read_trace(kGolden);
  ASSERT_TRUE(loaded.trace) << loaded.error;
  testing::expect_same(trimmed(testing::bank_trace()), *loaded.trace);
}

TEST(TraceFile, LoadsWithWindowsLineEnds) {
  std::string text;
  for (const char c : contents(kGolden)) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const LoadedTrace loaded = parse_trace(text, "x.trace");
  ASSERT_TRUE(loaded.trace) << loaded.error;
  testing::expect_same(trimmed(testing::bank_trace()), *loaded.trace);
}

TEST(TraceFileErrors, NameTheLineAndWhatWasExpected) {
  EXPECT_EQ(error_of(bank_with("T1 lock", "Q1 lock")), "x.trace:30: expected an operation such as T3, got `Q1`");
  EXPECT_EQ(error_of(bank_with("T1 lock", "T9 lock")), "x.trace:30: T9 is not among the 3 operations");
  EXPECT_EQ(error_of(bank_with("T1 lock", "T1 lick")), "x.trace:30: expected an event such as lock, got `lick`");
  EXPECT_EQ(error_of(bank_with("lock m1", "lock m7")),
            "x.trace:30: expected one of the resources, such as m1, got `m7`");
  EXPECT_EQ(error_of(bank_with("=1/3", "=3/3")), "x.trace:35: expected a value and its bound such as =1/3, got `=3/3`");
  EXPECT_EQ(error_of(bank_with("{2,3}", "{2,3")), "x.trace:30: expected a stack such as {5,2}, got `{2,3`");
  EXPECT_EQ(error_of(bank_with("   4 *", "   5 *")), "x.trace:30: expected step 4, got `5`");
  EXPECT_EQ(error_of(bank_with("seed 7", "seed x")), "x.trace:10: expected a number, got `x`");
  EXPECT_EQ(error_of(bank_with("seed 7", "sead 7")),
            "x.trace:10: expected a header line such as `seed 7`, got `sead 7`");
  EXPECT_EQ(error_of(bank_with("lines\n", "lines\\q\n")),
            "x.trace:5: expected text without a broken escape, got `a name with \"quotes\"\\\\nand lines\\\\q`");
  EXPECT_THAT(error_of(bank_with("{2,3}", "{2,99}")), HasSubstr("expected 100 places before this, got 12"));
}

TEST(TraceFileErrors, TellWhatIsNoTraceFromWhatIsNewer) {
  EXPECT_EQ(error_of(""), "x.trace:1: this is not a trace of heddle: expected `heddle trace 1`");
  EXPECT_EQ(error_of("#!/bin/sh\n"), "x.trace:1: this is not a trace of heddle: expected `heddle trace 1`");
  EXPECT_EQ(error_of(std::string(5000, '\0')), "x.trace:1: this is not a trace of heddle: expected `heddle trace 1`");
  EXPECT_EQ(error_of("heddle trace 3\n"), "x.trace: written by a newer heddle (version 3); this one reads up to 1");
}

TEST(TraceFileErrors, RefuseWhatNoTraceHas) {
  EXPECT_EQ(error_of(bank_with("seed 7", std::string("seed 7\0", 7))),
            "x.trace:10: expected text, got the control character \\x00");
  EXPECT_EQ(error_of(bank_with("as main", "as \x1b[2J")), "x.trace:16: expected text, got the control character \\x1b");
  EXPECT_EQ(error_of(bank_with("directory /home/ann", "directory /\\x00x")),
            "x.trace:6: expected text without a zero byte");
  EXPECT_EQ(error_of(bank_with("seed 7", "seed 7\nseed 8")), "x.trace:11: there is a second line `seed`");
  EXPECT_EQ(error_of(bank_with("seed 7", "option a=1\noption a=2\nseed 7")),
            "x.trace:11: there is a second option `a`");
  EXPECT_EQ(error_of(bank_with("seed 7", "seed 18446744073709551616")),
            "x.trace:10: expected a number, got `18446744073709551616`");
  EXPECT_EQ(error_of(bank_with("as main", "as " + std::string(2'000'000, 'x'))),
            "x.trace:16: the line is longer than 1048576 bytes");
  std::string deep = "{0";
  for (int i = 0; i < 2'000; ++i) deep += ",0";
  EXPECT_EQ(error_of(bank_with("{2,3}", deep + "}")),
            "x.trace:30: there are more than 1000 frames in a stack, which no trace has");
  std::string many = "operations\n";
  for (int i = 0; i < 100'001; ++i) many += "  T" + std::to_string(i) + "\n";
  EXPECT_THAT(error_of(bank_with("operations\n", many)), HasSubstr("there are more than 100000 operations"));
}

TEST(TraceFileErrors, ShowNothingThatActsOnATerminal) {
  EXPECT_EQ(error_of(bank_with("T1 lock", "T1\u202e lock")),
            "x.trace:30: expected an operation such as T3, got `T1\\xe2\\x80\\xae`");
}

/// A crash may leave a record that refers to what it does not have. It is written so that it loads.
TEST(TraceFile, LoadsWhatABrokenRecordWrote) {
  Random random(7);
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Trace trace = testing::TraceGenerator(seed).trace();
    const auto wild = [&] { return random.below(3) == 0 ? 0xffff'fffeu : random.below(40); };
    for (TraceOperation& operation : trace.operations) operation.parent = OperationId{wild()};
    for (TraceOperation& operation : trace.operations) operation.next.resource = ResourceId{wild()};
    for (TraceResource& resource : trace.resources) resource.holder = OperationId{wild()};
    for (TraceStep& step : trace.steps) step.operation = OperationId{wild()};
    for (TraceStep& step : trace.steps) step.resource = ResourceId{wild()};
    for (TraceStep& step : trace.steps) step.value = wild();
    for (TraceAccess& access : trace.accesses) {
      access.operation = OperationId{wild()};
      access.locks = {{ResourceId{wild()}, wild()}};
    }
    for (TraceNote& note : trace.notes) note = {wild(), OperationId{wild()}, "sent", OperationId{wild()}, ""};
    trace.verdict.operation = OperationId{wild()};
    trace.verdict.mention.what = ResourceId{wild()};
    const LoadedTrace loaded = parse_trace(to_text(trace), "x.trace");
    ASSERT_TRUE(loaded.trace) << loaded.error << "\n" << to_text(trace);
    testing::expect_same(trimmed(trace), *loaded.trace);
  }
}

TEST(TraceFileErrors, NoticeEveryTruncation) {
  const std::string text = contents(kGolden);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {  // the last line break may be missing
    const LoadedTrace loaded = parse_trace(text.substr(0, length), "x.trace");
    EXPECT_FALSE(loaded.trace) << "cut to " << length << " bytes";
    EXPECT_THAT(loaded.error, StartsWith("x.trace:"));
  }
  EXPECT_THAT(error_of(text.substr(0, text.find("places"))),
              HasSubstr("the file was cut short: expected another of the steps or `places` after this"));
}

TEST(TraceFileErrors, NoticeAMissingStep) {
  EXPECT_THAT(error_of(bank_with("end 15", "end 16")),
              HasSubstr("expected `end 15` after so many steps, got `end 16`"));
}

// Whatever happens to a file, it gives an error or a trace that can be written and read again.
TEST(TraceFileErrors, SurviveGarbage) {
  const std::string text = contents(kGolden);
  Random random(1);
  int errors = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string broken = text;
    for (std::uint32_t flips = 1 + random.below(3); flips > 0; --flips)
      broken[random.below(static_cast<std::uint32_t>(broken.size()))] ^= static_cast<char>(1u << random.below(8));
    const LoadedTrace loaded = parse_trace(broken, "x.trace");
    ASSERT_NE(loaded.trace.has_value(), !loaded.error.empty());
    if (!loaded.trace) ++errors;
    if (loaded.trace) testing::expect_same(trimmed(*loaded.trace), *parse_trace(to_text(*loaded.trace), "y").trace);
    ASSERT_FALSE(HasFailure()) << broken;
  }
  EXPECT_GT(errors, 5'000);  // most bytes of a trace mean something
}

class TraceFileOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-trace-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(TraceFileOnDisk, IsWrittenAndReadWhole) {
  const std::string path = folder_ / "bank.trace";
  ASSERT_EQ(write_trace(testing::deadlock_trace(), path), "");
  ASSERT_EQ(write_trace(testing::bank_trace(), path), "");  // over the first
  const LoadedTrace loaded = read_trace(path);
  ASSERT_TRUE(loaded.trace) << loaded.error;
  testing::expect_same(trimmed(testing::bank_trace()), *loaded.trace);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "something was left beside it";
}

TEST_F(TraceFileOnDisk, IsKnownAsThisUsers) {
  setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
  const std::string path = folder_ / "bank.trace";
  ASSERT_EQ(write_trace(testing::bank_trace(), path), "");
  EXPECT_TRUE(is_own(read_trace(path)));
  const std::string text = contents(path);
  EXPECT_EQ(std::filesystem::status(folder_ / "state/heddle/key").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);

  std::string changed = text;
  changed.replace(changed.find("--accounts"), 3, "--b");
  EXPECT_TRUE(parse_trace(changed, path).trace);
  EXPECT_FALSE(is_own(parse_trace(changed, path)));
  const std::string unsealed = text.substr(0, text.find("seal "));
  EXPECT_TRUE(parse_trace(unsealed, path).trace);
  EXPECT_FALSE(is_own(parse_trace(unsealed, path)));
  EXPECT_THAT(error_of(unsealed + "seal abc\n"), HasSubstr("expected a seal of 64 digits, got `abc`"));

  std::filesystem::permissions(folder_ / "state/heddle/key", std::filesystem::perms::all);  // others may know it
  EXPECT_FALSE(is_own(read_trace(path)));
  unsetenv("XDG_STATE_HOME");
  EXPECT_FALSE(is_own(read_trace(path))) << "another key";
}

TEST_F(TraceFileOnDisk, IsARegularFileOfBoundedSize) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")})
    EXPECT_EQ(read_trace(path).error,
              "cannot read " + path + ": it is a device, a pipe or a socket; copy the trace to a file first");
  const std::string large = folder_ / "large";
  std::ofstream(large) << "heddle trace 1\n";
  std::filesystem::resize_file(large, kTraceBytesMax + 1);
  EXPECT_EQ(read_trace(large).error,
            "cannot read " + large + ": it is larger than 256 MiB, the most that a trace can have");
}

TEST_F(TraceFileOnDisk, SaysWhyItCannotBeWritten) {
  const std::string path = folder_ / "none" / "bank.trace";
  EXPECT_EQ(write_trace(testing::bank_trace(), path), "cannot write " + path + ": No such file or directory");
  const std::string folder = folder_ / "folder";
  std::filesystem::create_directories(folder + "/inside");
  EXPECT_THAT(write_trace(testing::bank_trace(), folder), StartsWith("cannot write " + folder + ": "));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "something was left beside it";
}

TEST_F(TraceFileOnDisk, SaysWhyItCannotBeRead) {
  const std::string path = folder_ / "bank.trace";
  EXPECT_EQ(read_trace(path).error, "cannot open " + path + ": No such file or directory");
  EXPECT_EQ(read_trace(folder_).error, "cannot read " + folder_.string() + ": Is a directory");
}

}  // namespace
}  // namespace heddle
