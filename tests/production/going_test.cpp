// Machines that halt go, and their ids live on: what is sent to them is dropped and never comes to another machine.
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "heddle/actor.hpp"
#include "machines.hpp"

namespace {

using heddle::MachineId;
using production::adds_up;
using production::with;

struct Letter {
  std::uint32_t to;  // the number of the machine that it is for
};
struct Leave {};

class Lodger : public heddle::Machine {
 public:
  explicit Lodger(std::atomic<std::uint64_t>& astray) : astray_(astray) {}
  struct Staying;
  static void declare(heddle::Declaration<Lodger>& is) {
    is.state<Staying>().start().on<Letter>(&Lodger::read).on<Leave>(&Lodger::leave);
  }

 private:
  void read(const Letter& letter) { astray_ += letter.to != self().number(); }
  void leave(const Leave&) { halt(); }
  std::atomic<std::uint64_t>& astray_;
};

TEST(Going, LettersToOneThatHasGoneAreDropped) {
  std::atomic<std::uint64_t> astray = 0;
  heddle::Runtime runtime(with(2));
  const MachineId first = runtime.create<Lodger>(astray);
  runtime.send(first, Leave{});
  runtime.wait();
  const MachineId second = runtime.create<Lodger>(astray);
  EXPECT_NE(first, second);
  runtime.send(first, Letter{first.number()});
  runtime.send(second, Letter{second.number()});
  runtime.wait();
  EXPECT_EQ(first.text(), "Lodger(1)");
  EXPECT_EQ(astray, 0u);
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_EQ(metrics.machines_created, 2u);
  EXPECT_EQ(metrics.machines_halted, 1u);
  EXPECT_EQ(metrics.events_handled, 2u);
  EXPECT_EQ(metrics.events_dropped, 1u);
}

TEST(Going, ALetterThatMustBeHandledFailsByTheNameOfTheOneThatHasGone) {
  std::atomic<std::uint64_t> astray = 0;
  production::Failures failures;
  heddle::Runtime runtime(with(1, &failures));
  const MachineId first = runtime.create<Lodger>(astray);
  runtime.send(first, Leave{});
  runtime.wait();
  runtime.create<Lodger>(astray);
  runtime.send(first, Letter{1}, {.must_handle = true});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);
  EXPECT_EQ(failures.all()[0].message, "Lodger(1) halted without handling Letter, which was sent as must_handle");
}

/// Threads that make machines, write to those of all threads, old and new, and send them away again.
void lodge(heddle::RuntimeOptions options, int rounds) {
  constexpr int kThreads = 3;
  constexpr std::size_t kKnown = 8;
  std::atomic<std::uint64_t> astray = 0;
  heddle::Runtime runtime(std::move(options));
  std::mutex mutex;
  std::array<MachineId, kKnown> known;  // guarded by the mutex
  for (MachineId& id : known) id = runtime.create<Lodger>(astray);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        const MachineId made = runtime.create<Lodger>(astray);
        MachineId old;
        {
          const std::lock_guard lock(mutex);
          MachineId& place = known[static_cast<std::size_t>(i * (t + 1)) % kKnown];
          old = place;
          place = made;
        }
        runtime.send(old, Letter{old.number()});
        runtime.send(old, Leave{});
        runtime.send(old, Letter{old.number()});  // on its way while it leaves, and while another moves in
        runtime.send(made, Letter{made.number()});
      }
    });
  for (std::thread& thread : threads) thread.join();
  runtime.wait();
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_EQ(astray, 0u);
  EXPECT_TRUE(adds_up(metrics));
  EXPECT_EQ(metrics.machines_created, kKnown + kThreads * static_cast<std::size_t>(rounds));
  EXPECT_EQ(metrics.machines_halted, metrics.machines_created - kKnown);
}

TEST(Going, NothingComesToWhoeverMovesIn) { lodge(with(3), 10'000); }

TEST(Going, NobodyWaitsForRoomWithOneThatHasGone) {
  heddle::RuntimeOptions options = with(3);
  options.inbox_max = 2;
  options.when_full = heddle::RuntimeOptions::WhenFull::wait;
  lodge(std::move(options), 10'000);
}

struct Round {
  MachineId to;
};

/// Sends one away and writes to it, all in one action.
class Postman : public heddle::Machine {
 public:
  struct Walking;
  static void declare(heddle::Declaration<Postman>& is) { is.state<Walking>().start().on<Round>(&Postman::walk); }

 private:
  void walk(const Round& round) {
    send(round.to, Leave{});
    for (int i = 0; i < 2; ++i) send(round.to, Letter{round.to.number()});
  }
};

// What was on its way to the one before must not count as being in the inbox.
TEST(Going, WhoMovesInHasAllTheRoom) {
  std::atomic<std::uint64_t> astray = 0;
  heddle::RuntimeOptions options = with(1);
  options.inbox_max = 3;
  options.when_full = heddle::RuntimeOptions::WhenFull::drop;
  std::atomic<int> full = 0;
  options.log = [&](const heddle::LogRecord& record) { full += record.text == "inbox is full"; };
  heddle::Runtime runtime(options);
  const MachineId postman = runtime.create<Postman>();
  constexpr std::uint64_t kRounds = 10;
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    const MachineId lodger = runtime.create<Lodger>(astray);
    runtime.send(postman, Round{lodger});
    runtime.wait();
    for (int j = 0; j < 5; ++j) runtime.send(lodger, Letter{lodger.number()});
  }
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_EQ(full, 0);
  EXPECT_EQ(metrics.machines_halted, kRounds);
  EXPECT_EQ(metrics.events_handled, 2 * kRounds);  // the round, and the order to leave
  EXPECT_EQ(metrics.events_dropped, 7 * kRounds);
}

TEST(Going, ARuntimeKeepsNoMoreThanItHasAtOnce) {
  std::atomic<std::uint64_t> astray = 0;
  heddle::Runtime runtime(with(1));
  const auto come_and_go = [&](int count) {
    for (int i = 0; i < count; ++i) {
      runtime.send(runtime.create<Lodger>(astray), Leave{});
      if (i % 100 == 0) runtime.wait();
    }
    runtime.wait();
  };
  come_and_go(2'000);
  const std::size_t before = mallinfo2().uordblks;
  come_and_go(50'000);
  const std::size_t after = mallinfo2().uordblks;
  EXPECT_LT(after, before + 100'000) << "two bytes a machine";
}

struct Tick {};

class Clock : public heddle::Machine {
 public:
  struct Ticking;
  static void declare(heddle::Declaration<Clock>& is) {
    is.state<Ticking>().start().on_entry(&Clock::wind).on<Tick>(&Clock::tick);
  }

 private:
  void wind() { start_periodic_timer(std::chrono::microseconds(20), std::chrono::microseconds(20), Tick{}); }
  void tick(const Tick&) {
    if (++ticks_ == 3) halt();
  }
  int ticks_ = 0;
};

TEST(Going, TimersOfOneThatHasGoneFireNoMore) {
  heddle::Runtime runtime(with(2));
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 5; ++j) runtime.create<Clock>();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  while (runtime.metrics().machines_halted != 1'000) std::this_thread::yield();
  runtime.stop();
  EXPECT_TRUE(adds_up(runtime.metrics()));
}

}  // namespace
