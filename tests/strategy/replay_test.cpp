#include "strategy/support/replay.hpp"

#include <gtest/gtest.h>

#include "strategy/builtin.hpp"
#include "support/fake_view.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

using strategy::Replay;

Choice op(std::uint32_t id) { return Choice::of_operation(OperationId{id}); }
Choice value(std::uint32_t v) { return Choice::of_value(v); }

TEST(Replay, FollowsTheScheduleOnce) {
  const Schedule schedule = {op(2), value(3), op(0)};
  Replay replay(schedule);
  Random random(0);
  EXPECT_TRUE(replay.begin(random));
  EXPECT_EQ(replay.choose_operation(view_of_first(3)), OperationId{2});
  EXPECT_EQ(replay.choose_value(view_of_first(3), 4), 3u);
  EXPECT_EQ(replay.choose_operation(view_of_first(3)), OperationId{0});
  EXPECT_EQ(replay.diverged_at(), std::nullopt);
  EXPECT_EQ(replay.followed(), 3u);
  EXPECT_FALSE(replay.begin(random));
}

TEST(Replay, NoticesAnOperationThatIsNotEnabled) {
  const Schedule schedule = {op(1), op(5), op(1)};
  Replay replay(schedule);
  replay.choose_operation(view_of_first(3));
  EXPECT_EQ(replay.choose_operation(view_of_first(3)), OperationId{0});  // the first enabled one
  EXPECT_EQ(replay.diverged_at(), 1u);
  EXPECT_EQ(replay.choose_operation(view_of_first(3)), OperationId{0});  // and no longer what was recorded
  EXPECT_EQ(replay.choose_value(view_of_first(3), 9), 0u);
  EXPECT_EQ(replay.diverged_at(), 1u);  // the first place stays
}

TEST(Replay, NoticesAnotherKindOfChoice) {
  const Schedule operations = {op(1)}, values = {value(1)};
  Replay wants_operation(operations), wants_value(values);
  EXPECT_EQ(wants_operation.choose_value(view_of_first(2), 2), 0u);
  EXPECT_EQ(wants_operation.diverged_at(), 0u);
  EXPECT_EQ(wants_value.choose_operation(view_of_first(2)), OperationId{0});
  EXPECT_EQ(wants_value.diverged_at(), 0u);
}

TEST(Replay, NoticesAValueOutOfRange) {
  const Schedule schedule = {value(4)};
  Replay replay(schedule);
  EXPECT_EQ(replay.choose_value(view_of_first(2), 4), 0u);
  EXPECT_EQ(replay.diverged_at(), 0u);
}

TEST(Replay, NoticesAScheduleThatIsTooShort) {
  const Schedule schedule = {op(1)};
  Replay replay(schedule);
  replay.choose_operation(view_of_first(2));
  replay.choose_operation(view_of_first(2));
  EXPECT_EQ(replay.diverged_at(), 1u);
}

TEST(Replay, IsAsFairAsTheScheduleWas) {
  const Schedule schedule = {op(1)};
  EXPECT_TRUE(Replay(schedule).is_fair());
  EXPECT_FALSE(Replay(schedule, false).is_fair());
  Replay lost(schedule);
  lost.choose_value(view_of_first(2), 2);
  EXPECT_FALSE(lost.is_fair());  // what follows is not the schedule
}

TEST(Replay, RepeatsALivelock) {
  const Program spin{.operations = {{create(1), loop_until(0, 1, 1)}, {loop_until(0, 2, 0)}}};
  const engine::Settings settings{.steps_max = 500};
  const Result first = run_once(spin, *strategy::make_random(), 1, settings);
  ASSERT_EQ(first.verdict.kind, VerdictKind::livelock);
  Replay replay(first.schedule, true);
  EXPECT_EQ(run_once(spin, replay, 2, settings), first);
  EXPECT_EQ(replay.diverged_at(), std::nullopt);
}

}  // namespace
}  // namespace heddle::test
