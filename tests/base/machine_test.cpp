#include "base/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <string>

namespace heddle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// While it lives, the soft limit has this value.
class Limited {
 public:
  Limited(__rlimit_resource_t resource, rlim_t value) : resource_(resource) {
    getrlimit(resource, &before_);
    const rlimit now = {value, before_.rlim_max};
    setrlimit(resource, &now);
  }
  ~Limited() { setrlimit(resource_, &before_); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  __rlimit_resource_t resource_;
  rlimit before_{};
};

std::string sentence(Scarce what, int error) {
  char text[300];
  describe_refusal(what, error, text, sizeof text);
  return text;
}

TEST(Machine, NamesTheLimitItsValueAndItsOption) {
  const Limited files(RLIMIT_NOFILE, 77);
  EXPECT_EQ(sentence(Scarce::descriptor, EMFILE),
            "cannot open another file: the limit of open files for a process is 77 (ulimit -n)");
  const Limited sizes(RLIMIT_FSIZE, 4096);
  EXPECT_EQ(sentence(Scarce::file, EFBIG),
            "cannot write more to a file: the limit of the size of a file is 4 KB (ulimit -f)");
}

TEST(Machine, NamesWhatTheSystemLacksWhereNoLimitIsSet) {
  EXPECT_THAT(sentence(Scarce::descriptor, ENFILE), HasSubstr("fs.file-max"));
  EXPECT_THAT(sentence(Scarce::file, ENOSPC), HasSubstr("no room left on the disk"));
  EXPECT_THAT(sentence(Scarce::process, EAGAIN), StartsWith("cannot start another process: "));
  EXPECT_THAT(sentence(Scarce::memory, EPERM), HasSubstr("Operation not permitted"));
}

TEST(Machine, ReservesAPartOfLimitedAddresses) {
  constexpr std::size_t kWanted = std::size_t{1} << 40;
  EXPECT_EQ(reservable(kWanted, 4), limit_of(RLIMIT_AS) == kUnlimited ? kWanted : reservable(kWanted, 4));
  const Limited addresses(RLIMIT_AS, std::size_t{8} << 30);
  EXPECT_EQ(reservable(kWanted, 4), std::size_t{2} << 30);
  EXPECT_EQ(reservable(4096, 4), 4096u);
}

TEST(Machine, RemembersTheFirstRefusalOnly) {
  Refusals refused;
  EXPECT_FALSE(refused.any());
  refused.note(Scarce::descriptor, ENFILE);
  refused.note(Scarce::file, ENOSPC);
  char text[300];
  refused.describe(text, sizeof text);
  EXPECT_THAT(text, HasSubstr("cannot open another file"));
  refused.forget();
  EXPECT_FALSE(refused.any());
}

TEST(MachineDeathTest, EndsWithItsOwnExitCode) {
  EXPECT_EXIT(end_refused(Scarce::file, ENOSPC), ::testing::ExitedWithCode(4),
              "heddle: cannot write more to a file: there is no room left on the disk\\.");
}

}  // namespace
}  // namespace heddle
