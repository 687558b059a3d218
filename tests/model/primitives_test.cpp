// The other primitives as data, each against the simplest thing that can tell what it should do.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <vector>

#include "base/random.hpp"
#include "model/barrier.hpp"
#include "model/condition.hpp"
#include "model/lifetime.hpp"
#include "model/once.hpp"
#include "model/read_write_lock.hpp"
#include "model/resource.hpp"
#include "model/semaphore.hpp"
#include "model/wait_queue.hpp"

namespace heddle::test {
namespace {

using namespace model;

constexpr OperationId kA{1}, kB{2}, kC{3};

// --- read-write lock -----------------------------------------------------------------------------------------------

TEST(ReadWriteLock, ManyReadOrOneWrites) {
  ReadWriteLock lock;
  EXPECT_EQ(lock.read_lock(kA), 0);
  EXPECT_TRUE(lock.admits_read(kB));
  EXPECT_FALSE(lock.admits_write(kB));
  EXPECT_FALSE(lock.admits_write(kA));  // not even the reader itself: it would wait for itself
  EXPECT_EQ(lock.read_lock(kB), 0);
  EXPECT_EQ(lock.try_write_lock(kC), EBUSY);
  EXPECT_EQ(lock.unlock(kA), 0);
  EXPECT_FALSE(lock.admits_write(kC));
  EXPECT_EQ(lock.unlock(kB), 0);
  EXPECT_TRUE(lock.admits_write(kC));
  EXPECT_EQ(lock.write_lock(kC), 0);
  EXPECT_FALSE(lock.admits_read(kA));
  EXPECT_FALSE(lock.admits_write(kA));
  EXPECT_EQ(lock.try_read_lock(kA), EBUSY);
  EXPECT_EQ(lock.unlock(kA), EPERM);
  EXPECT_EQ(lock.unlock(kC), 0);
  EXPECT_EQ(lock.unlock(kC), EPERM);
}

TEST(ReadWriteLock, KnowsItsHolderIfThatIsOne) {
  ReadWriteLock lock;
  EXPECT_EQ(lock.holder(), kNoOperation);
  EXPECT_EQ(lock.some_holder(), kNoOperation);
  for (OperationId id : {kA, kB, kC, OperationId{0}}) lock.read_lock(id);
  EXPECT_EQ(lock.holder(), kNoOperation);
  EXPECT_NE(lock.some_holder(), kNoOperation);
  for (OperationId id : {kC, kA, OperationId{0}}) EXPECT_EQ(lock.unlock(id), 0);
  EXPECT_EQ(lock.holder(), kB);  // not the last who began to read
  EXPECT_EQ(lock.some_holder(), kB);
  EXPECT_EQ(lock.unlock(kA), EPERM);
  EXPECT_EQ(lock.unlock(kB), 0);
  EXPECT_TRUE(lock.is_free());
  lock.write_lock(kC);
  EXPECT_EQ(lock.holder(), kC);
  EXPECT_FALSE(lock.is_free());
}

TEST(ReadWriteLock, TellsAWriterThatAsksAgain) {
  ReadWriteLock lock;
  lock.write_lock(kA);
  EXPECT_TRUE(lock.admits_read(kA));
  EXPECT_TRUE(lock.admits_write(kA));
  EXPECT_EQ(lock.read_lock(kA), EDEADLK);
  EXPECT_EQ(lock.write_lock(kA), EDEADLK);
  EXPECT_EQ(lock.try_read_lock(kA), EBUSY);
  EXPECT_EQ(lock.try_write_lock(kA), EBUSY);
  EXPECT_EQ(lock.unlock(kA), 0);
  EXPECT_TRUE(lock.admits_write(kB));  // it was held once
}

TEST(ReadWriteLock, DoesWhatASetOfHoldersDoes) {
  ReadWriteLock lock;
  std::vector<OperationId> readers, writers;
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const OperationId self{random.below(4)};
    const bool free_to_read = writers.empty();
    const bool free_to_write = writers.empty() && readers.empty();
    const auto reads = std::find(readers.begin(), readers.end(), self);
    switch (random.below(3)) {
      case 0:
        ASSERT_EQ(lock.try_read_lock(self), free_to_read ? 0 : EBUSY);
        if (free_to_read) readers.push_back(self);
        break;
      case 1:
        ASSERT_EQ(lock.try_write_lock(self), free_to_write ? 0 : EBUSY);
        if (free_to_write) writers.push_back(self);
        break;
      default:
        if (!writers.empty()) {
          ASSERT_EQ(lock.unlock(self), writers.front() == self ? 0 : EPERM);
          if (writers.front() == self) writers.clear();
        } else if (reads != readers.end()) {
          ASSERT_EQ(lock.unlock(self), 0);
          readers.erase(reads);
        } else if (readers.empty()) {
          ASSERT_EQ(lock.unlock(self), EPERM);
        }
    }
    ASSERT_EQ(lock.readers(), readers.size());
    ASSERT_EQ(lock.writer(), writers.empty() ? kNoOperation : writers.front());
    if (readers.size() == 1) {
      ASSERT_EQ(lock.holder(), readers.front());
    }
  }
}

// --- semaphore, barrier, once, lifetime, condition -----------------------------------------------------------------

TEST(Semaphore, Counts) {
  Semaphore semaphore(1);
  EXPECT_TRUE(semaphore.admits_acquire());
  semaphore.acquire();
  EXPECT_FALSE(semaphore.admits_acquire());
  EXPECT_EQ(semaphore.try_acquire(), EAGAIN);
  EXPECT_EQ(semaphore.release(), 0);
  EXPECT_EQ(semaphore.release(), 0);
  EXPECT_EQ(semaphore.value(), 2u);
  EXPECT_EQ(semaphore.try_acquire(), 0);
  EXPECT_EQ(semaphore.value(), 1u);
}

TEST(Semaphore, RefusesToOverflow) {
  Semaphore semaphore(INT_MAX - 1);
  EXPECT_EQ(semaphore.release(), 0);
  EXPECT_EQ(semaphore.release(), EOVERFLOW);
  EXPECT_EQ(semaphore.value(), static_cast<std::uint32_t>(INT_MAX));
  semaphore.acquire();
  EXPECT_EQ(semaphore.release(), 0);
}

TEST(Barrier, LetsEveryRoundGoWhenItIsComplete) {
  WaitLinks links;
  Barrier barrier(3);
  for (int round = 0; round < 4; ++round) {
    for (OperationId id : {kA, kB}) {
      EXPECT_FALSE(barrier.completes());
      barrier.waiters().push(links, id);
    }
    EXPECT_TRUE(barrier.completes());
    for (OperationId id : {kA, kB}) {
      EXPECT_EQ(barrier.waiters().front(), id);
      barrier.waiters().remove(links, id);
    }
  }
  EXPECT_TRUE(Barrier(1).completes());
}

TEST(Once, RunsUntilItSucceeds) {
  Once once;
  EXPECT_TRUE(once.admits());
  once.begin(kA);
  EXPECT_FALSE(once.admits());  // the others wait for the end
  EXPECT_EQ(once.runner(), kA);
  once.end(false);
  EXPECT_TRUE(once.admits());
  EXPECT_FALSE(once.is_done());
  once.begin(kB);
  once.end(true);
  EXPECT_TRUE(once.admits());
  EXPECT_TRUE(once.is_done());
  EXPECT_TRUE(Once(true).is_done());
}

TEST(Lifetime, IsJoinedOnceAfterItsEnd) {
  Lifetime life(kA, false);
  EXPECT_EQ(life.of(), kA);
  EXPECT_FALSE(life.admits_join());
  EXPECT_EQ(life.may_join(kB), 0);
  EXPECT_EQ(life.may_join(kA), EDEADLK);
  life.end();
  EXPECT_TRUE(life.admits_join());
  EXPECT_FALSE(life.is_gone());
  life.join(kB);
  EXPECT_TRUE(life.is_gone());
  EXPECT_EQ(life.joiner(), kB);
  EXPECT_EQ(life.may_join(kC), ESRCH);
  EXPECT_EQ(life.detach(), ESRCH);
}

TEST(Lifetime, IsJoinedByOneAtATime) {
  Lifetime life(kA, false);
  EXPECT_FALSE(life.is_being_joined());
  life.begin_join(kB);
  EXPECT_TRUE(life.is_being_joined());
  EXPECT_EQ(life.may_join(kB), 0);
  EXPECT_EQ(life.may_join(kC), EINVAL);
  life.give_up_join();
  EXPECT_FALSE(life.is_being_joined());
  EXPECT_EQ(life.may_join(kC), 0);
  life.begin_join(kC);
  life.end();
  life.join(kC);
  EXPECT_FALSE(life.is_being_joined());
}

TEST(Lifetime, IsGoneAfterItsEndIfDetached) {
  Lifetime life(kA, false);
  EXPECT_EQ(life.detach(), 0);
  EXPECT_EQ(life.detach(), EINVAL);
  EXPECT_EQ(life.may_join(kB), EINVAL);
  EXPECT_FALSE(life.is_gone());
  life.end();
  EXPECT_TRUE(life.is_gone());
  Lifetime born_detached(kB, true);
  EXPECT_EQ(born_detached.may_join(kA), EINVAL);
}

TEST(Condition, RemembersTheLastSignalIfItWasInVain) {
  WaitLinks links;
  Condition condition;
  EXPECT_EQ(condition.lost_by(), kNoOperation);
  condition.signalled(kA, 5);
  condition.signalled(kB, 9);
  EXPECT_EQ(condition.lost_by(), kB);
  EXPECT_EQ(condition.lost_at_step(), 9u);
  condition.waiters().push(links, kC);
  EXPECT_EQ(condition.lost_by(), kB);  // it came before the wait
  condition.signalled(kA, 12);
  EXPECT_EQ(condition.lost_by(), kNoOperation);  // this one found somebody
}

TEST(Condition, IsBoundToAMutexWhileSomebodyWaits) {
  WaitLinks links;
  Condition condition;
  constexpr ResourceId kOne{4}, kTwo{7};
  EXPECT_FALSE(condition.is_bound_to_another(kOne));
  condition.bind(kOne);
  condition.waiters().push(links, kA);
  EXPECT_FALSE(condition.is_bound_to_another(kOne));
  EXPECT_TRUE(condition.is_bound_to_another(kTwo));
  condition.waiters().remove(links, kA);
  EXPECT_FALSE(condition.is_bound_to_another(kTwo));
}

// --- wait queues ---------------------------------------------------------------------------------------------------

TEST(WaitQueue, DoesWhatADequeDoes) {
  // Several queues over one table of links, as in an execution: an operation stands in at most one.
  WaitLinks links;
  WaitQueue queues[3];
  std::deque<OperationId> plain[3];
  std::vector<int> where(40, -1);
  Random random(2);
  for (int i = 0; i < 50'000; ++i) {
    const std::uint32_t id = random.below(40);
    if (where[id] < 0) {
      where[id] = static_cast<int>(random.below(3));
      queues[where[id]].push(links, OperationId{id});
      plain[where[id]].push_back(OperationId{id});
    } else {
      std::deque<OperationId>& from = plain[where[id]];
      queues[where[id]].remove(links, OperationId{id});
      from.erase(std::find(from.begin(), from.end(), OperationId{id}));
      where[id] = -1;
    }
    const int which = static_cast<int>(random.below(3));
    ASSERT_EQ(queues[which].size(), plain[which].size());
    ASSERT_EQ(queues[which].empty(), plain[which].empty());
    if (plain[which].empty()) continue;
    ASSERT_EQ(queues[which].front(), plain[which].front());
    const std::uint32_t position = random.below(static_cast<std::uint32_t>(plain[which].size()));
    ASSERT_EQ(queues[which].at(links, position), plain[which][position]);
  }
}

TEST(WaitQueueDeathTest, FaultsWhenSomebodyLeavesAnEmptyQueue) {
  WaitLinks links;
  WaitQueue queue;
  EXPECT_EXIT(queue.remove(links, kA), testing::ExitedWithCode(3), "fault in heddle itself");
}

// --- resources -----------------------------------------------------------------------------------------------------

TEST(Resource, NamesAreDistinctAndRoundTrip) {
  for (int i = 0; i < static_cast<int>(ResourceKind::kCount); ++i) {
    const auto kind = static_cast<ResourceKind>(i);
    EXPECT_FALSE(name(kind).empty());
    EXPECT_EQ(resource_kind_named(name(kind)), kind);
  }
  EXPECT_EQ(resource_kind_named("teapot"), ResourceKind::kCount);
}

TEST(Resource, AdmitsWhatItsPrimitiveAdmits) {
  Resource mutex(ResourceKind::mutex, nullptr);
  mutex.mutex.lock(kA);
  for (EventKind kind : {EventKind::lock, EventKind::relock, EventKind::timed_lock}) {
    EXPECT_FALSE(mutex.admits(kB, kind));
    EXPECT_FALSE(mutex.admits(kA, kind));
  }
  EXPECT_TRUE(mutex.admits(kB, EventKind::try_lock));
  EXPECT_TRUE(mutex.admits(kA, EventKind::unlock));
  mutex.mutex.unlock(kA);
  EXPECT_TRUE(mutex.admits(kB, EventKind::lock));

  Resource lock(ResourceKind::read_write_lock, nullptr);
  lock.read_write_lock.read_lock(kA);
  EXPECT_TRUE(lock.admits(kB, EventKind::read_lock));
  EXPECT_TRUE(lock.admits(kB, EventKind::timed_read_lock));
  EXPECT_FALSE(lock.admits(kB, EventKind::write_lock));
  EXPECT_FALSE(lock.admits(kB, EventKind::timed_write_lock));

  Resource semaphore(ResourceKind::semaphore, nullptr);
  EXPECT_FALSE(semaphore.admits(kA, EventKind::acquire));
  EXPECT_FALSE(semaphore.admits(kA, EventKind::timed_acquire));
  semaphore.semaphore.release();
  EXPECT_TRUE(semaphore.admits(kA, EventKind::acquire));

  Resource life(ResourceKind::operation, nullptr);
  EXPECT_FALSE(life.admits(kA, EventKind::join));
  life.lifetime.end();
  EXPECT_TRUE(life.admits(kA, EventKind::join));

  Resource once(ResourceKind::once, nullptr);
  EXPECT_TRUE(once.admits(kA, EventKind::once));
  once.once.begin(kA);
  EXPECT_FALSE(once.admits(kB, EventKind::once));

  Resource condition(ResourceKind::condition, nullptr);
  EXPECT_FALSE(condition.admits(kA, EventKind::wake));
  EXPECT_TRUE(condition.admits(kA, EventKind::signal));
}

TEST(Resource, KnowsWhoseStepAloneLetsAnEventHappen) {
  Resource mutex(ResourceKind::mutex, nullptr);
  mutex.mutex.lock(kA);
  EXPECT_EQ(mutex.in_the_way(EventKind::lock), kA);
  EXPECT_EQ(mutex.in_the_way(EventKind::relock), kA);
  EXPECT_EQ(mutex.in_the_way(EventKind::try_lock), kNoOperation);

  Resource lock(ResourceKind::read_write_lock, nullptr);
  lock.read_write_lock.read_lock(kA);
  EXPECT_EQ(lock.in_the_way(EventKind::write_lock), kA);
  EXPECT_EQ(lock.in_the_way(EventKind::read_lock), kNoOperation);
  lock.read_write_lock.read_lock(kB);
  EXPECT_EQ(lock.in_the_way(EventKind::write_lock), kNoOperation);  // one step is not enough
  EXPECT_NE(lock.some_holder(), kNoOperation);

  Resource once(ResourceKind::once, nullptr);
  once.once.begin(kB);
  EXPECT_EQ(once.in_the_way(EventKind::once), kB);

  Resource life(ResourceKind::operation, nullptr);
  life.lifetime = model::Lifetime(kB, false);
  EXPECT_EQ(life.in_the_way(EventKind::join), kB);

  Resource semaphore(ResourceKind::semaphore, nullptr);
  EXPECT_EQ(semaphore.in_the_way(EventKind::acquire), kNoOperation);  // anybody may release it
}

TEST(Resource, HasAnotherStateWhereTheProgramCanSeeIt) {
  WaitLinks links;
  for (int i = 0; i < static_cast<int>(ResourceKind::kCount); ++i) {
    const Resource fresh(static_cast<ResourceKind>(i), nullptr);
    Resource other(static_cast<ResourceKind>(i), nullptr);
    EXPECT_EQ(fresh.state(links), other.state(links));
    other.gone = true;
    EXPECT_NE(fresh.state(links), other.state(links));
  }
  Resource one(ResourceKind::condition, nullptr);
  Resource other(ResourceKind::condition, nullptr);
  one.condition.signalled(kA, 7);  // nobody waited: that is only told
  EXPECT_EQ(one.state(links), other.state(links));
  one.condition.waiters().push(links, kA);
  other.condition.waiters().push(links, kB);
  EXPECT_NE(one.state(links), other.state(links));

  Resource mutex(ResourceKind::mutex, nullptr);
  const std::uint64_t free = mutex.state(links);
  mutex.mutex.lock(kA);
  EXPECT_NE(mutex.state(links), free);
}

}  // namespace
}  // namespace heddle::test
