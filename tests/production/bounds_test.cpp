// Bounded inboxes: wait, fail and drop, under overload.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "machines.hpp"

namespace {

using heddle::MachineId;
using production::adds_up;
using production::Failures;
using production::with;
using WhenFull = heddle::RuntimeOptions::WhenFull;

struct Item {};
struct Go {};
struct Working;

constexpr std::uint32_t kMax = 16;

heddle::RuntimeOptions bounded(std::uint32_t threads, WhenFull when_full, Failures* failures = nullptr) {
  heddle::RuntimeOptions options = with(threads, failures);
  options.inbox_max = kMax;
  options.when_full = when_full;
  return options;
}

/// What is on its way to the consumer, and the most that ever was.
struct Level {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;

  void add(int change) {
    const int level = now += change;
    int seen = most;
    while (seen < level && !most.compare_exchange_weak(seen, level)) {
    }
  }
};

class Consumer : public heddle::Machine {
 public:
  explicit Consumer(Level& level) : level_(level) {}
  static void declare(heddle::Declaration<Consumer>& is) { is.state<Working>().start().on<Item>(&Consumer::take); }

 private:
  void take() {
    level_.add(-1);
    for (int i = 0; i < 50; ++i) asm volatile("");
  }
  Level& level_;
};

class Producer : public heddle::Machine {
 public:
  Producer(Level& level, MachineId to, int items, int burst) : level_(level), to_(to), left_(items), burst_(burst) {}
  static void declare(heddle::Declaration<Producer>& is) {
    is.state<Working>().start().on_entry(&Producer::go).on<Go>(&Producer::go);
  }

 private:
  void go() {
    for (int i = 0; i < burst_ && left_ > 0; ++i, --left_) {
      send(to_, Item{});
      level_.add(1);
    }
    if (left_ > 0) send(self(), Go{});
  }
  Level& level_;
  MachineId to_;
  int left_, burst_;
};

TEST(ProductionBounds, machines_that_wait_lose_nothing_and_keep_the_inbox_small) {
  for (std::uint32_t threads : {1u, 2u, 4u}) {
    Level level;
    heddle::Runtime runtime(bounded(threads, WhenFull::wait));
    const MachineId consumer = runtime.create<Consumer>(level);
    for (int i = 0; i < 8; ++i) runtime.create<Producer>(level, consumer, 5000, 4);
    runtime.stop();
    EXPECT_EQ(runtime.metrics().events_dropped, 0u);
    EXPECT_TRUE(adds_up(runtime.metrics()));
    EXPECT_EQ(level.now, 0);
    EXPECT_LE(level.most, static_cast<int>(kMax) + 8 * 4);  // one action of each producer more
  }
}

TEST(ProductionBounds, threads_that_wait_keep_to_the_bound) {
  Level level;
  heddle::Runtime runtime(bounded(2, WhenFull::wait));
  const MachineId consumer = runtime.create<Consumer>(level);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int item = 0; item < 5000; ++item) {
        runtime.send(consumer, Item{});
        level.add(1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  runtime.stop();
  EXPECT_EQ(runtime.metrics().events_handled, 15'000u);
  EXPECT_LE(level.most, static_cast<int>(kMax) + 3);  // counted when the send has come back
}

/// Two that flood each other: full inboxes in a circle.
class Flooder : public heddle::Machine {
 public:
  explicit Flooder(int rounds) : rounds_(rounds) {}
  static void declare(heddle::Declaration<Flooder>& is) {
    is.state<Working>().start().on<MachineId>(&Flooder::meet).on<Item>(&Flooder::take).on<Go>(&Flooder::flood);
  }

 private:
  void meet(const MachineId& other) {
    other_ = other;
    send(self(), Go{});
  }
  void take() {}
  void flood() {
    for (int i = 0; i < 40; ++i) send(other_, Item{});
    if (--rounds_ > 0) send(self(), Go{});
  }
  MachineId other_;
  int rounds_;
};

TEST(ProductionBounds, a_circle_of_full_inboxes_is_no_deadlock) {
  for (std::uint32_t threads : {1u, 2u, 4u}) {
    heddle::Runtime runtime(bounded(threads, WhenFull::wait));
    std::vector<MachineId> ring;
    for (int i = 0; i < 5; ++i) ring.push_back(runtime.create<Flooder>(200));
    for (int i = 0; i < 5; ++i) runtime.send(ring[i], ring[(i + 1) % 5]);
    runtime.stop();
    EXPECT_EQ(runtime.metrics().events_handled, 5u * (1 + 200 + 200 * 40));
  }
}

/// Defers items; who has sent too many of them is the one who has to let it go on.
class Gate : public heddle::Machine {
 public:
  struct Shut;
  struct Open;
  static void declare(heddle::Declaration<Gate>& is) {
    is.state<Shut>().start().defer<Item>().go_to<Open, Go>();
    is.state<Open>().on<Item>(&Gate::take);
  }

 private:
  void take() {}
};

class Opener : public heddle::Machine {
 public:
  explicit Opener(MachineId gate) : gate_(gate) {}
  static void declare(heddle::Declaration<Opener>& is) {
    is.state<Working>().start().on_entry(&Opener::fill).on<Go>(&Opener::open);
  }

 private:
  void fill() {
    for (int i = 0; i < 100; ++i) send(gate_, Item{});
    send(self(), Go{});
  }
  void open() { send(gate_, Go{}); }
  MachineId gate_;
};

TEST(ProductionBounds, nobody_waits_for_a_machine_that_defers_all_it_has) {
  for (std::uint32_t threads : {1u, 2u}) {
    heddle::Runtime runtime(bounded(threads, WhenFull::wait));
    runtime.create<Opener>(runtime.create<Gate>());
    const MachineId gate = runtime.create<Gate>();
    for (int i = 0; i < 100; ++i) runtime.send(gate, Item{});
    runtime.send(gate, Go{});
    runtime.stop();
    EXPECT_EQ(runtime.metrics().events_handled, 102u + 101u);
  }
}

TEST(ProductionBounds, what_is_dropped_is_counted) {
  Level level;
  heddle::Runtime runtime(bounded(2, WhenFull::drop));
  const MachineId consumer = runtime.create<Consumer>(level);
  for (int i = 0; i < 8; ++i) runtime.create<Producer>(level, consumer, 5000, 40);
  runtime.stop();
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_TRUE(adds_up(metrics));
  EXPECT_GT(metrics.events_dropped, 0u);  // a burst alone has more than the inbox
  EXPECT_EQ(metrics.failures, 0u);
}

TEST(ProductionBounds, a_full_inbox_fails_if_it_is_to) {
  Failures failures;
  heddle::Runtime runtime(bounded(1, WhenFull::fail, &failures));
  const MachineId gate = runtime.create<Gate>();
  for (std::uint32_t i = 0; i < kMax + 3; ++i) runtime.send(gate, Item{});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 3u);
  EXPECT_EQ(failures.all()[0].message,
            "Gate(1) has 16 events in its inbox, and no more are to be there: Item is dropped");
  EXPECT_TRUE(adds_up(runtime.metrics()));
}

TEST(ProductionBounds, who_waits_for_a_machine_that_halts_goes_on) {
  struct Lazy : heddle::Machine {
    static void declare(heddle::Declaration<Lazy>& is) {
      is.state<Working>().start().defer<Item>().on<Go>(&Lazy::leave);
    }
    void leave() { halt(); }
  };
  for (std::uint32_t threads : {1u, 3u}) {
    Level level;
    heddle::Runtime runtime(bounded(threads, WhenFull::wait));
    const MachineId lazy = runtime.create<Lazy>();
    for (std::uint32_t i = 0; i < kMax - 1; ++i) runtime.send(lazy, Item{});
    runtime.send(lazy, Go{});
    std::thread outside([&] {
      for (int i = 0; i < 100; ++i) runtime.send(lazy, Item{});
    });
    for (int i = 0; i < 4; ++i) runtime.create<Producer>(level, lazy, 1000, 7);
    outside.join();
    runtime.stop();
    EXPECT_TRUE(adds_up(runtime.metrics()));
  }
}

}  // namespace
