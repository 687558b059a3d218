// GoogleTest: a test that contains heddle::explore fails as any other does, and the next one runs.
// expect: passes=3 fails=1 failing=Transfer.LosesMoneyWithoutALockAroundIt
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include <heddle/heddle.hpp>

namespace {

/// Two threads take 10 from one balance; what they do between reading and writing is under a lock only if `whole`.
void withdraw_twice(bool whole) {
  int balance = 30;
  std::mutex lock, outer;
  const auto withdraw = [&] {
    std::unique_lock<std::mutex> all(outer, std::defer_lock);
    if (whole) all.lock();
    lock.lock();
    const int before = balance;
    lock.unlock();
    lock.lock();
    balance = before - 10;
    lock.unlock();
  };
  std::thread other(withdraw);
  withdraw();
  other.join();
  if (balance != 10) heddle::fail("a withdrawal is lost");
}

}  // namespace

TEST(Transfer, KeepsMoneyWithALockAroundIt) {
  heddle::explore([] { withdraw_twice(true); });
}

TEST(Transfer, LosesMoneyWithoutALockAroundIt) {
  heddle::explore([] { withdraw_twice(false); });
}

TEST(Transfer, IsProvedWithinABound) {
  const heddle::Result result = heddle::explore([] { withdraw_twice(true); }, {.strategy = "ipb:bound=2"});
  EXPECT_TRUE(result.complete);
}

TEST(Transfer, CanBeLookedAtWithoutFailing) {
  const heddle::Result result = heddle::try_explore([] { withdraw_twice(false); });
  EXPECT_TRUE(result.bug_found);
  EXPECT_EQ(result.verdict, "failed");
}
