// One machine alone.
#include "heddle/actor/test_kit.hpp"

#include <gtest/gtest.h>

#include "heddle/actor.hpp"

namespace {

using heddle::MachineId;

struct Ask {
  MachineId who;
};
struct Answer {
  int value;
};
struct Tick {};
struct Close {};

class Clerk : public heddle::Machine {
 public:
  explicit Clerk(int value) : value_(value) {}
  struct Open;
  struct Closing;
  static void declare(heddle::Declaration<Clerk>& is) {
    is.state<Open>()
        .start()
        .on_entry(&Clerk::begin)
        .on<Ask>(&Clerk::answer)
        .on<Tick>(&Clerk::tick)
        .push<Closing, Close>();
    is.state<Closing>().defer<Ask>().on<Close>(&Clerk::wait_and_halt);
  }
  int ticks = 0;

 private:
  void begin() {
    once_ = start_timer(std::chrono::seconds(1), Tick{});
    start_periodic_timer(std::chrono::seconds(2), std::chrono::seconds(2), Tick{});
  }
  void answer(const Ask& ask) { send(ask.who, Answer{value_ + static_cast<int>(choose(10))}); }
  void tick() {
    if (++ticks == 3) stop_timer(once_);
  }
  heddle::Task wait_and_halt() {
    co_await receive<Answer>();
    halt();
  }
  int value_;
  heddle::TimerId once_;
};

TEST(TestKit, shows_state_sends_choices_and_inbox) {
  heddle::TestKit<Clerk> kit(40);
  EXPECT_TRUE(kit.is_in<Clerk::Open>());
  const MachineId peer = kit.peer();
  kit.set_choices({2});
  kit.send(Ask{peer});
  kit.send(Ask{peer});
  ASSERT_EQ(kit.sent_count(), 2u);
  EXPECT_EQ(kit.sent<Answer>(0)->value, 42);
  EXPECT_EQ(kit.sent<Answer>(1)->value, 40);
  EXPECT_EQ(kit.sent<Ask>(0), nullptr);
  EXPECT_EQ(kit.sent_to(0), peer);
  kit.forget_sent();
  kit.send(Close{});
  EXPECT_EQ(kit.state(), "Closing");
  EXPECT_EQ(kit.state_depth(), 2u);
  kit.send(Ask{peer});
  EXPECT_EQ(kit.inbox_size(), 1u);
  EXPECT_EQ(kit.sent_count(), 0u);
}

TEST(TestKit, fires_timers_when_told_to) {
  heddle::TestKit<Clerk> kit(1);
  EXPECT_EQ(kit.running_timers(), 2u);
  EXPECT_TRUE(kit.fire_timer());  // the first, which fires once
  EXPECT_EQ(kit.running_timers(), 1u);
  EXPECT_TRUE(kit.fire_timer());
  EXPECT_TRUE(kit.fire_timer());
  EXPECT_EQ(kit.machine().ticks, 3);
}

TEST(TestKit, shows_a_task_that_waits_and_the_halt) {
  heddle::TestKit<Clerk> kit(1);
  kit.send(Close{});
  kit.send(Close{});
  EXPECT_TRUE(kit.is_receiving());
  kit.send(Tick{});
  EXPECT_EQ(kit.inbox_size(), 1u);
  kit.send(Answer{1});
  EXPECT_TRUE(kit.has_halted());
  EXPECT_FALSE(kit.fire_timer());
  EXPECT_TRUE(kit.failures().empty());
}

TEST(TestKit, keeps_failures) {
  heddle::TestKit<Clerk> kit(1);
  kit.send(Answer{1});
  ASSERT_EQ(kit.failures().size(), 1u);
  EXPECT_EQ(kit.failures()[0].kind, heddle::FailureKind::unhandled_event);
  EXPECT_EQ(kit.failures()[0].message,
            "Clerk(1) in state Open gets Answer, which Open neither handles, defers nor ignores");
  EXPECT_TRUE(kit.has_halted());
}

}  // namespace
