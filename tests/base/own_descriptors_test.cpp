#include "base/own_descriptors.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

/// Calls the function in a child with these limits of open files; it returns true if all is well.
bool holds(rlim_t soft, rlim_t hard, bool (*function)()) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {soft, hard};
    _exit(setrlimit(RLIMIT_NOFILE, &limit) == 0 && function() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

rlim_t soft_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

TEST(OwnDescriptors, LieAboveTheLimitWhereThatIsAllowed) {
  EXPECT_TRUE(holds(256, 1024, [] {
    OwnDescriptors window;
    window.choose();
    const int own = window.move(dup(0), true);
    return window.first() == 256 && own == 256 && is_open(own) && window.has(own) && soft_limit() == 256;
  }));
}

TEST(OwnDescriptors, LieBelowTheLimitOtherwise) {
  EXPECT_TRUE(holds(256, 256, [] {
    OwnDescriptors window;
    window.choose();
    const int own = window.copy(0, true);
    return own >= 200 && own < 256 && window.has(own) && !window.has(window.first() - 1) && !window.has(window.end());
  }));
}

TEST(OwnDescriptors, StayLowWhereTheLimitIsHigh) {
  EXPECT_TRUE(holds(4000, 4000, [] {
    OwnDescriptors window;
    window.choose();
    return window.end() < 1024 && window.first() > 500;
  }));
}

TEST(OwnDescriptors, CanBeRestoredAtTheirNumber) {
  EXPECT_TRUE(holds(256, 1024, [] {
    OwnDescriptors window;
    window.choose();
    const int own = window.copy(0, true);
    close(own);
    window.restore(0, own);
    return is_open(own);
  }));
}

TEST(OwnDescriptors, AreNoneBeforeAWindowIsChosen) {
  const OwnDescriptors window;
  EXPECT_FALSE(window.has(0));
  EXPECT_FALSE(window.has(900));
}

}  // namespace
}  // namespace heddle
