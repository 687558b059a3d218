// Timers in production: which fire, how often and in which order. Never when: the machine may be slow.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "machines.hpp"

namespace {

using namespace std::chrono_literals;
using heddle::MachineId;
using production::adds_up;
using production::with;

struct Fired {
  int which;
};
struct Stop {};
struct Working;

class Sleeper : public heddle::Machine {
 public:
  Sleeper(std::vector<int>& fired, std::vector<std::chrono::nanoseconds> delays)
      : fired_(fired), delays_(std::move(delays)) {}
  static void declare(heddle::Declaration<Sleeper>& is) {
    is.state<Working>().start().on_entry(&Sleeper::begin).on<Fired>(&Sleeper::note);
  }

 private:
  void begin() {
    for (std::size_t i = 0; i < delays_.size(); ++i) start_timer(delays_[i], Fired{static_cast<int>(i)});
  }
  void note(const Fired& fired) { fired_.push_back(fired.which); }
  std::vector<int>& fired_;
  std::vector<std::chrono::nanoseconds> delays_;
};

TEST(ProductionTimers, fire_once_each_in_the_order_of_their_deadlines) {
  std::vector<int> fired;
  heddle::Runtime runtime(with(2));
  runtime.create<Sleeper>(fired, std::vector<std::chrono::nanoseconds>{90ms, 30ms, 120ms, 60ms, 1ns});
  runtime.wait();  // for them, too
  EXPECT_EQ(fired, (std::vector<int>{4, 1, 3, 0, 2}));
}

TEST(ProductionTimers, ten_thousand_of_them_all_fire) {
  std::vector<std::chrono::nanoseconds> delays;
  for (int i = 0; i < 1000; ++i) delays.push_back(std::chrono::microseconds((i * 7919) % 20'000));
  std::vector<std::vector<int>> fired(10);
  heddle::Runtime runtime(with(4));
  for (std::vector<int>& one : fired) runtime.create<Sleeper>(one, delays);
  runtime.stop();
  for (std::vector<int>& one : fired) {
    ASSERT_EQ(one.size(), delays.size());
    std::sort(one.begin(), one.end());
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(one[i], i);
  }
  EXPECT_TRUE(adds_up(runtime.metrics()));
}

/// Starts timers and stops those with an odd number; halts after the rest if it is told to.
class Stopper : public heddle::Machine {
 public:
  Stopper(std::atomic<int>& fired, bool halts) : fired_(fired), halts_(halts) {}
  static void declare(heddle::Declaration<Stopper>& is) {
    is.state<Working>().start().on_entry(&Stopper::begin).on<Fired>(&Stopper::note).on<Stop>(&Stopper::halt_now);
  }

 private:
  void begin() {
    std::vector<heddle::TimerId> odd;
    for (int i = 0; i < 100; ++i) {
      const heddle::TimerId timer = start_timer(i % 2 == 1 || halts_ ? 1h + 1s * (i * 37 % 100) : 1us * i, Fired{i});
      if (i % 2 == 1) odd.push_back(timer);
    }
    for (const heddle::TimerId timer : odd) stop_timer(timer);
    for (const heddle::TimerId timer : odd) stop_timer(timer);  // again: nothing
    if (halts_) send(self(), Stop{});
  }
  void note(const Fired& fired) { fired_ += fired.which % 2 == 0 ? 1 : 1000; }
  void halt_now() { halt(); }
  std::atomic<int>& fired_;
  bool halts_;
};

TEST(ProductionTimers, that_were_stopped_do_not_fire_and_keep_nobody_waiting) {
  std::atomic<int> fired = 0;
  heddle::Runtime runtime(with(2));
  for (int i = 0; i < 20; ++i) runtime.create<Stopper>(fired, false);
  runtime.stop();  // comes back long before the hour is over
  EXPECT_EQ(fired, 20 * 50);
}

TEST(ProductionTimers, of_a_machine_that_halts_stop) {
  std::atomic<int> fired = 0;
  heddle::Runtime runtime(with(2));
  for (int i = 0; i < 20; ++i) runtime.create<Stopper>(fired, true);
  runtime.stop();
  EXPECT_EQ(fired, 0);
  EXPECT_EQ(runtime.metrics().machines_halted, 20u);
}

class Ticker : public heddle::Machine {
 public:
  Ticker(std::atomic<int>& ticks, int times) : ticks_(ticks), times_(times) {}
  static void declare(heddle::Declaration<Ticker>& is) {
    is.state<Working>().start().on_entry(&Ticker::begin).on<Fired>(&Ticker::tick);
  }

 private:
  void begin() { timer_ = start_periodic_timer(1ms, 100us, Fired{0}); }
  void tick() {
    ++ticks_;
    if (--times_ > 0) return;
    stop_timer(timer_);
    halt();
  }
  std::atomic<int>& ticks_;
  int times_;
  heddle::TimerId timer_;
};

TEST(ProductionTimers, fire_again_and_again_until_they_are_stopped) {
  std::atomic<int> ticks = 0;
  heddle::Runtime runtime(with(2));
  for (int i = 0; i < 5; ++i) runtime.create<Ticker>(ticks, 20);
  runtime.wait();  // not for them
  while (runtime.metrics().machines_halted < 5) std::this_thread::yield();
  runtime.stop();
  EXPECT_EQ(ticks, 5 * 20);
  EXPECT_TRUE(adds_up(runtime.metrics()));
}

TEST(ProductionTimers, that_run_at_the_end_leak_nothing) {
  std::vector<int> fired;
  std::atomic<int> ticks = 0;
  heddle::Runtime runtime(with(2));
  runtime.create<Sleeper>(fired, std::vector<std::chrono::nanoseconds>{1h});
  runtime.create<Ticker>(ticks, 1'000'000'000);
  while (ticks == 0) std::this_thread::yield();
  runtime.abort();
  EXPECT_TRUE(fired.empty());
  EXPECT_TRUE(adds_up(runtime.metrics()));
}

}  // namespace
