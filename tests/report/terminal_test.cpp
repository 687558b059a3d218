#include "report/terminal.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "report/progress.hpp"

namespace heddle::report {
namespace {

/// A terminal of 90 columns that nobody looks at, in an environment that is put back afterwards.
class OnATerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"TERM", "CI", "NO_COLOR", "COLUMNS"}) {
      const char* value = std::getenv(variable);
      before_.emplace_back(variable, value == nullptr ? "" : value);
      unsetenv(variable);
    }
    setenv("TERM", "xterm", 1);
    inside_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(inside_, 0);
    ASSERT_EQ(grantpt(inside_), 0);
    ASSERT_EQ(unlockpt(inside_), 0);
    terminal_ = open(ptsname(inside_), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal_, 0);
    const winsize size{25, 90, 0, 0};
    ASSERT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }

  void TearDown() override {
    close(terminal_);
    close(inside_);
    for (const auto& [variable, value] : before_)
      value.empty() ? unsetenv(variable.c_str()) : setenv(variable.c_str(), value.c_str(), 1);
  }

  /// What was written to the terminal since the last time.
  std::string shown() {
    std::string text(4096, '\0');
    fcntl(inside_, F_SETFL, O_NONBLOCK);
    const ssize_t got = read(inside_, text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  std::vector<std::pair<std::string, std::string>> before_;
  int inside_ = -1;
  int terminal_ = -1;
};

TEST_F(OnATerminal, ThereIsColourAndLife) {
  const Terminal terminal = terminal_of(terminal_);
  EXPECT_TRUE(terminal.is_live);
  EXPECT_TRUE(terminal.color);
  EXPECT_EQ(terminal.width, 90);
}

TEST_F(OnATerminal, TheEnvironmentCanForbidIt) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(terminal_of(terminal_).is_live);
  EXPECT_FALSE(terminal_of(terminal_).color);
  unsetenv("NO_COLOR");
  setenv("CI", "true", 1);
  EXPECT_FALSE(terminal_of(terminal_).is_live);
  EXPECT_TRUE(terminal_of(terminal_).color);
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(terminal_of(terminal_).color);
}

TEST_F(OnATerminal, AFileIsNone) {
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_FALSE(terminal_of(file).is_live);
  EXPECT_FALSE(terminal_of(file).color);
  EXPECT_EQ(terminal_of(file).width, 100);
  setenv("COLUMNS", "77", 1);
  EXPECT_EQ(terminal_of(file).width, 77);
  close(file);
}

TEST_F(OnATerminal, ProgressIsDrawnAtMostTenTimesASecondAndTakenAway) {
  ProgressNumbers numbers;
  numbers.executions = 41216;
  Progress progress(terminal_);
  ASSERT_TRUE(progress.is_shown());
  progress.update(numbers);
  EXPECT_EQ(shown(), "") << "too early";
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  progress.update(numbers);
  EXPECT_THAT(shown(), ::testing::StartsWith("\r\x1b[2K  41,216 executions"));
  progress.update(numbers);
  EXPECT_EQ(shown(), "") << "too often";
  progress.clear();
  EXPECT_EQ(shown(), "\r\x1b[2K");
  progress.clear();
  EXPECT_EQ(shown(), "") << "there was nothing to take away";
}

}  // namespace
}  // namespace heddle::report
