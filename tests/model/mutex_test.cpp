// A mutex as data: what POSIX says of each type, call by call.
#include "model/mutex.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "base/random.hpp"

namespace heddle::test {
namespace {

using model::Mutex;
using model::MutexType;

constexpr OperationId kA{1}, kB{2}, kC{3};

TEST(Mutex, IsHeldByOne) {
  for (MutexType type : {MutexType::normal, MutexType::recursive, MutexType::error_checking}) {
    Mutex mutex(type);
    EXPECT_TRUE(mutex.is_free());
    EXPECT_TRUE(mutex.admits_lock(kA));
    EXPECT_EQ(mutex.lock(kA), 0);
    EXPECT_EQ(mutex.owner(), kA);
    EXPECT_FALSE(mutex.admits_lock(kB));
    EXPECT_EQ(mutex.try_lock(kB), EBUSY);
    EXPECT_EQ(mutex.unlock(kB), EPERM);
    EXPECT_EQ(mutex.owner(), kA);
    EXPECT_EQ(mutex.unlock(kA), 0);
    EXPECT_TRUE(mutex.is_free());
    EXPECT_EQ(mutex.unlock(kA), EPERM);
    EXPECT_EQ(mutex.try_lock(kB), 0);
    EXPECT_EQ(mutex.owner(), kB);
  }
}

TEST(Mutex, NormalDoesNotAdmitItsOwner) {
  Mutex mutex(MutexType::normal);
  mutex.lock(kA);
  EXPECT_FALSE(mutex.admits_lock(kA));
  EXPECT_TRUE(mutex.is_relock(kA));
  EXPECT_FALSE(mutex.is_relock(kB));
  EXPECT_EQ(mutex.try_lock(kA), EBUSY);
  EXPECT_EQ(mutex.lock(kA), EDEADLK);  // only where that is tolerated
  EXPECT_EQ(mutex.unlock(kA), 0);
  EXPECT_TRUE(mutex.is_free());
  for (MutexType type : {MutexType::recursive, MutexType::error_checking}) {
    Mutex other(type);
    other.lock(kA);
    EXPECT_FALSE(other.is_relock(kA));
  }
}

TEST(Mutex, TellsStrangersWhatPosixPromises) {
  EXPECT_FALSE(Mutex(MutexType::normal).tells_strangers());
  EXPECT_TRUE(Mutex(MutexType::normal, true).tells_strangers());
  EXPECT_TRUE(Mutex(MutexType::recursive).tells_strangers());
  EXPECT_TRUE(Mutex(MutexType::error_checking).tells_strangers());
}

TEST(Mutex, ErrorCheckingTellsItsOwner) {
  Mutex mutex(MutexType::error_checking);
  mutex.lock(kA);
  EXPECT_TRUE(mutex.admits_lock(kA));
  EXPECT_EQ(mutex.lock(kA), EDEADLK);
  EXPECT_EQ(mutex.try_lock(kA), EBUSY);
  EXPECT_EQ(mutex.unlock(kA), 0);
  EXPECT_TRUE(mutex.is_free());
}

TEST(Mutex, RecursiveCounts) {
  Mutex mutex(MutexType::recursive);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(mutex.admits_lock(kA));
    EXPECT_EQ(i % 2 == 0 ? mutex.lock(kA) : mutex.try_lock(kA), 0);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(mutex.admits_lock(kB));
    EXPECT_EQ(mutex.unlock(kA), 0);
  }
  EXPECT_TRUE(mutex.admits_lock(kB));
}

TEST(Mutex, RecursiveRefusesToOverflow) {
  Mutex mutex(MutexType::recursive);
  EXPECT_EQ(mutex.reacquire(kA, 0xffff'fffe), 0);
  EXPECT_EQ(mutex.lock(kA), 0);
  EXPECT_EQ(mutex.lock(kA), EAGAIN);
  EXPECT_EQ(mutex.try_lock(kA), EAGAIN);
}

TEST(Mutex, AConditionWaitGivesBackAllOfIt) {
  Mutex mutex(MutexType::recursive);
  for (int i = 0; i < 4; ++i) mutex.lock(kA);
  const std::uint32_t depth = mutex.release_all();
  EXPECT_EQ(depth, 4u);
  EXPECT_TRUE(mutex.admits_lock(kB));
  EXPECT_EQ(mutex.reacquire(kA, depth), 0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(mutex.unlock(kA), 0);
  EXPECT_TRUE(mutex.is_free());
}

TEST(Mutex, CanBeBornLocked) {
  Mutex mutex(MutexType::normal, false, model::kOutsideOwner);
  EXPECT_FALSE(mutex.admits_lock(kA));
  EXPECT_EQ(mutex.unlock(kA), EPERM);
}

// --- robust --------------------------------------------------------------------------------------------------------

TEST(RobustMutex, TellsTheNextOwnerThatTheLastDied) {
  Mutex mutex(MutexType::normal, true);
  mutex.lock(kA);
  mutex.owner_ended();
  EXPECT_TRUE(mutex.admits_lock(kB));
  EXPECT_EQ(mutex.lock(kB), EOWNERDEAD);
  EXPECT_EQ(mutex.owner(), kB);  // it holds it all the same
  EXPECT_EQ(mutex.make_consistent(kA), EINVAL);
  EXPECT_EQ(mutex.make_consistent(kB), 0);
  EXPECT_EQ(mutex.unlock(kB), 0);
  EXPECT_EQ(mutex.lock(kC), 0);
}

TEST(RobustMutex, IsLostIfNobodyMakesItConsistent) {
  Mutex mutex(MutexType::normal, true);
  mutex.lock(kA);
  mutex.owner_ended();
  EXPECT_EQ(mutex.try_lock(kB), EOWNERDEAD);
  EXPECT_EQ(mutex.unlock(kB), 0);
  EXPECT_TRUE(mutex.admits_lock(kC));  // nobody waits: everybody is told
  EXPECT_EQ(mutex.lock(kC), ENOTRECOVERABLE);
  EXPECT_EQ(mutex.try_lock(kC), ENOTRECOVERABLE);
  EXPECT_EQ(mutex.owner(), kNoOperation);
  EXPECT_EQ(mutex.make_consistent(kC), EINVAL);
}

TEST(RobustMutex, IsLostInAConditionWaitAsByUnlock) {
  Mutex mutex(MutexType::normal, true);
  mutex.lock(kA);
  mutex.owner_ended();
  mutex.lock(kB);
  const std::uint32_t depth = mutex.release_all();
  EXPECT_EQ(mutex.reacquire(kB, depth), ENOTRECOVERABLE);
  EXPECT_EQ(mutex.owner(), kNoOperation);
}

TEST(RobustMutex, OwnersCanDieOneAfterTheOther) {
  Mutex mutex(MutexType::recursive, true);
  mutex.lock(kA);
  mutex.lock(kA);
  mutex.owner_ended();
  EXPECT_EQ(mutex.lock(kB), EOWNERDEAD);
  mutex.owner_ended();
  EXPECT_EQ(mutex.lock(kC), EOWNERDEAD);
  EXPECT_EQ(mutex.make_consistent(kC), 0);
  EXPECT_EQ(mutex.unlock(kC), 0);  // of depth one again
  EXPECT_TRUE(mutex.is_free());
}

TEST(RobustMutex, OthersStayLockedForEver) {
  Mutex mutex(MutexType::normal);
  mutex.lock(kA);
  mutex.owner_ended();
  EXPECT_FALSE(mutex.admits_lock(kB));
  EXPECT_EQ(mutex.make_consistent(kA), EINVAL);
}

TEST(RobustMutex, ConsistencyIsForThoseThatNeedIt) {
  Mutex mutex(MutexType::normal, true);
  EXPECT_EQ(mutex.make_consistent(kA), EINVAL);
  mutex.lock(kA);
  EXPECT_EQ(mutex.make_consistent(kA), EINVAL);
}

// --- at random, against an owner and a number ----------------------------------------------------------------------

TEST(Mutex, DoesWhatAnOwnerAndACountDo) {
  for (MutexType type : {MutexType::normal, MutexType::recursive, MutexType::error_checking}) {
    Mutex mutex(type);
    std::optional<OperationId> owner;
    std::uint32_t depth = 0;
    Random random(static_cast<std::uint64_t>(type));
    for (int i = 0; i < 20'000; ++i) {
      const OperationId self{random.below(3)};
      const bool again = owner == self;
      const bool may_take = !owner || (again && type == MutexType::recursive);
      if (random.below(2) == 0) {
        const bool tries = random.below(2) == 0;
        ASSERT_EQ(mutex.admits_lock(self), may_take || (again && type == MutexType::error_checking));
        if (!tries && !mutex.admits_lock(self)) continue;  // it would wait
        const int expected = may_take ? 0 : tries ? EBUSY : EDEADLK;
        ASSERT_EQ(tries ? mutex.try_lock(self) : mutex.lock(self), expected);
        if (expected != 0) continue;
        owner = self;
        ++depth;
      } else {
        ASSERT_EQ(mutex.unlock(self), again ? 0 : EPERM);
        if (again && --depth == 0) owner.reset();
      }
      ASSERT_EQ(mutex.owner(), owner.value_or(kNoOperation));
    }
  }
}

}  // namespace
}  // namespace heddle::test
