#include "trace/words.hpp"

#include <gtest/gtest.h>

#include "trace/bank.hpp"
#include "trace/waits.hpp"

namespace heddle {
namespace {

using model::EventKind;
using model::ResourceKind;

TEST(Words, NumberEachKindOfResourceByItself) {
  testing::TraceBuilder b;
  b.resource(ResourceKind::mutex).resource(ResourceKind::condition).resource(ResourceKind::mutex, "queue_lock");
  b.resource(ResourceKind::read_write_lock).resource(ResourceKind::semaphore).resource(ResourceKind::barrier);
  b.resource(ResourceKind::once).resource(ResourceKind::spin_lock).resource(ResourceKind::futex);
  b.resource(ResourceKind::variable)
      .resource(ResourceKind::signal)
      .resource(ResourceKind::operation, "", OperationId{2})
      .resource(ResourceKind::descriptor, "descriptor 5");
  const Words words(b.trace());
  std::string names;
  for (std::uint32_t i = 0; i < 13; ++i) names += std::string(words.resource(ResourceId{i})) + " ";
  EXPECT_EQ(names, "m1 c1 m2 rw1 s1 b1 o1 sp1 f1 x1 r1 T2 d1 ");
  EXPECT_EQ(words.event_in_full(EventKind::descriptor_read, ResourceId{12}), "descriptor_read d1 (descriptor 5)");
  EXPECT_EQ(words.resource_in_full(ResourceId{2}), "m2 (queue_lock)");
  EXPECT_EQ(words.event(EventKind::join, ResourceId{11}), "join T2");
  EXPECT_EQ(words.event_in_full(EventKind::lock, ResourceId{2}), "lock m2 (queue_lock)");
  EXPECT_EQ(words.event(EventKind::yield, kNoResource), "yield");
}

TEST(Words, NeverNameTwoResourcesAlike) {
  testing::TraceBuilder b;
  for (int i = 0; i < 2; ++i) b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::operation);
  const Words words(b.trace());
  EXPECT_EQ(words.resource(ResourceId{0}), "T1");
  EXPECT_EQ(words.resource(ResourceId{1}), "e1");
  EXPECT_EQ(words.resource(ResourceId{2}), "e2");
  EXPECT_EQ(words.resource(ResourceId{3}), "e3");
}

TEST(Words, SayAStepInOneLine) {
  const Trace trace = testing::bank_trace();
  const Words words(trace);
  EXPECT_EQ(words.step(trace.steps[3]), "T1 lock m1 at bank.cpp:11");
  EXPECT_EQ(words.step(trace.steps[8]), "T2 choose =1/3 at bank.cpp:14");
  EXPECT_EQ(words.step(trace.steps[5]), "T2 start");
}

TEST(Waits, SayWhoWaitsForWhomInADeadlock) {
  const Trace trace = testing::deadlock_trace();
  EXPECT_EQ(deadlock_sentence(trace), "T1 waits for m2 (held by T2), T2 waits for m1 (from, held by T1)");
  EXPECT_EQ(waiting_cycle(trace), (std::vector{OperationId{1}, OperationId{2}}));
  EXPECT_EQ(standing(trace, Words(trace), kMainOperation), "waits for the end of T1");
}

TEST(Waits, NameALockTakenTwice) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).resource(ResourceKind::mutex, "", kMainOperation);
  b.stands(0, EventKind::lock, 0, {}).verdict(VerdictKind::deadlock, kNoOperation, "");
  EXPECT_EQ(deadlock_sentence(b.trace()), "T0 waits for m1 (held by itself)");
}

TEST(Waits, ListEverybodyWhereThereIsNoCycle) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("consumer", kMainOperation).operation("producer", kMainOperation);
  b.resource(ResourceKind::operation, "", OperationId{1}).resource(ResourceKind::condition, "not_empty");
  b.stands(0, EventKind::join, 0, {}).stands(1, EventKind::wake, 1, {}).ends(2);
  b.verdict(VerdictKind::lost_wakeup, OperationId{1}, "");
  EXPECT_EQ(deadlock_sentence(b.trace()), "T0 waits for the end of T1, T1 waits for c1 (not_empty)");
}

TEST(Waits, LeaveOthersAloneWhereSomeWaitForEachOther) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("one", kMainOperation).operation("two", kMainOperation);
  b.resource(ResourceKind::mutex, "", OperationId{1}).resource(ResourceKind::mutex, "", OperationId{2});
  b.resource(ResourceKind::semaphore);
  b.stands(0, EventKind::acquire, 2, {}).stands(1, EventKind::lock, 1, {}).stands(2, EventKind::lock, 0, {});
  b.verdict(VerdictKind::deadlock, kNoOperation, "");
  EXPECT_EQ(deadlock_sentence(b.trace()), "T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)");
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), kMainOperation), "is about to acquire s1");
}

TEST(Waits, KnowWhereALockWasTaken) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).resource(ResourceKind::mutex, "", kMainOperation).resource(ResourceKind::mutex);
  b.step(b.forced, 0, EventKind::lock, 0, {}).step(b.forced, 0, EventKind::unlock, 0, {});
  b.step(b.forced, 0, EventKind::try_lock, 0, {}).step(b.forced, 0, EventKind::lock, 1, {});
  EXPECT_EQ(taking_step(b.trace(), kMainOperation, ResourceId{0}), &b.trace().steps[2]);
  EXPECT_EQ(taking_step(b.trace(), OperationId{1}, ResourceId{0}), nullptr);
}

TEST(Waits, ReadersDoNotWaitForEachOther) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("reader", kMainOperation);
  b.resource(ResourceKind::read_write_lock, "", OperationId{1});
  b.step(b.forced, 1, EventKind::read_lock, 0, {}).stands(0, EventKind::read_lock, 0, {});
  EXPECT_EQ(waits_for(b.trace(), kMainOperation), kNoOperation);
  b.stands(0, EventKind::write_lock, 0, {});
  EXPECT_EQ(waits_for(b.trace(), kMainOperation), OperationId{1});
}

TEST(Waits, SayThatALockWasTakenOutside) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).resource(ResourceKind::mutex, "", model::kOutsideOwner);
  b.stands(0, EventKind::lock, 0, {}).verdict(VerdictKind::deadlock, kNoOperation, "");
  EXPECT_EQ(deadlock_sentence(b.trace()), "T0 waits for m1, which was locked before the exploration began");
}

TEST(Waits, KnowWhatIsOnlyAboutToHappen) {
  testing::TraceBuilder b;
  b.operation("main", kNoOperation).operation("worker", kMainOperation);
  b.resource(ResourceKind::mutex)
      .resource(ResourceKind::semaphore)
      .resource(ResourceKind::operation, "", OperationId{1});
  b.stands(0, EventKind::lock, 0, {});
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), kMainOperation), "is about to lock m1");
  b.stands(0, EventKind::start, 2, {});
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), kMainOperation), "has not started");
  b.stands(0, EventKind::acquire, 1, {});
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), kMainOperation), "is about to acquire s1");
  b.stands(0, EventKind::join, 2, {}).ends(1);
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), kMainOperation), "is about to join T1");
  EXPECT_EQ(standing(b.trace(), Words(b.trace()), OperationId{1}), "has ended");
}

}  // namespace
}  // namespace heddle
