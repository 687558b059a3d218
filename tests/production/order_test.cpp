// Machines on a pool of threads: nothing is lost, and everything comes in order.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "machines.hpp"
#include "storm.hpp"

namespace {

using heddle::MachineId;
using heddle::Metrics;
using production::adds_up;
using production::with;

TEST(Production, needs_nothing_of_libheddle) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) EXPECT_EQ(line.find("libheddle"), line.npos) << line;
}

// --- a storm of numbered events ------------------------------------------------------------------------------------

class Storm : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Storm, none_is_lost_and_each_pair_is_in_order) {
  production::Storm storm({.machines = 40, .events_each = 2000});
  heddle::Runtime runtime(with(GetParam()));
  storm.begin(runtime);
  runtime.stop();
  EXPECT_EQ(storm.handled(), 40u * 2000u);
  EXPECT_EQ(storm.out_of_order(), 0u);
  EXPECT_TRUE(adds_up(runtime.metrics()));
  EXPECT_EQ(runtime.metrics().events_dropped, 0u);
}

TEST_P(Storm, machines_that_halt_drop_what_comes_and_it_is_counted) {
  production::Storm storm({.machines = 40, .events_each = 2000, .halting = 13});
  heddle::Runtime runtime(with(GetParam()));
  storm.begin(runtime);
  runtime.stop();
  const Metrics metrics = runtime.metrics();
  EXPECT_EQ(metrics.machines_halted, 13u);
  EXPECT_GT(metrics.events_dropped, 0u);
  EXPECT_TRUE(adds_up(metrics));
  EXPECT_EQ(storm.out_of_order(), 0u);
}

TEST_P(Storm, abort_drops_the_rest_and_counts_it) {
  production::Storm storm({.machines = 40, .events_each = 1'000'000});
  heddle::Runtime runtime(with(GetParam()));
  storm.begin(runtime);
  while (storm.handled() < 10'000) std::this_thread::yield();
  runtime.abort();
  const Metrics metrics = runtime.metrics();
  EXPECT_LT(storm.handled(), 40u * 1'000'000u);
  EXPECT_GT(metrics.events_dropped, 0u);  // every machine has one to itself on its way
  EXPECT_TRUE(adds_up(metrics));
}

TEST_P(Storm, threads_outside_send_while_it_stops) {
  for (int repeat = 0; repeat < 10; ++repeat) {
    production::Storm storm({.machines = 8, .events_each = 100});
    heddle::Runtime runtime(with(GetParam()));
    const std::vector<MachineId> machines = storm.begin(runtime);
    std::vector<std::thread> threads;
    for (std::uint32_t sender = 0; sender < 3; ++sender)
      threads.emplace_back([&, sender] {
        for (std::uint32_t i = 0; i < 500; ++i)
          runtime.send(machines[i % 8], production::Drop{machines.size() + sender, i / 8 + 1});
      });
    runtime.stop();
    for (std::thread& thread : threads) thread.join();
    const Metrics metrics = runtime.metrics();
    EXPECT_TRUE(adds_up(metrics));
    EXPECT_GE(metrics.events_sent, 3u * 500u);
    EXPECT_EQ(storm.out_of_order(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(threads, Storm, testing::Values(1, 2, 4, 8));

// --- causal order ---------------------------------------------------------------------------------------------------

struct Cause {
  std::uint32_t number;
};
struct Effect {
  std::uint32_t number;
};

/// An effect comes after its cause, which another has sent.
class Witness : public heddle::Machine {
 public:
  explicit Witness(std::atomic<std::uint32_t>& wrong) : wrong_(wrong) {}
  struct Watching;
  static void declare(heddle::Declaration<Witness>& is) {
    is.state<Watching>().start().on<Cause>(&Witness::cause).on<Effect>(&Witness::effect);
  }

 private:
  void cause(const Cause& cause) { last_ = cause.number; }
  void effect(const Effect& effect) {
    if (last_ < effect.number) ++wrong_;
  }
  std::uint32_t last_ = 0;
  std::atomic<std::uint32_t>& wrong_;
};

class Relay : public heddle::Machine {
 public:
  Relay(MachineId to, bool tells) : to_(to), tells_(tells) {}
  struct Passing;
  static void declare(heddle::Declaration<Relay>& is) { is.state<Passing>().start().on<Cause>(&Relay::pass); }

 private:
  void pass(const Cause& cause) {
    if (tells_)
      send(to_, Effect{cause.number});
    else
      send(to_, cause);
  }
  MachineId to_;
  bool tells_;
};

class Origin : public heddle::Machine {
 public:
  Origin(MachineId witness, MachineId relay) : witness_(witness), relay_(relay) {}
  struct Sending;
  static void declare(heddle::Declaration<Origin>& is) { is.state<Sending>().start().on_entry(&Origin::all); }

 private:
  void all() {
    for (std::uint32_t number = 1; number <= 5000; ++number) {
      send(witness_, Cause{number});
      send(relay_, Cause{number});
    }
  }
  MachineId witness_, relay_;
};

TEST(Production, an_effect_comes_after_its_cause) {
  for (std::uint32_t threads : {1u, 2u, 4u}) {
    std::atomic<std::uint32_t> wrong = 0;
    heddle::Runtime runtime(with(threads));
    for (int chain = 0; chain < 4; ++chain) {
      const MachineId witness = runtime.create<Witness>(wrong);
      const MachineId last = runtime.create<Relay>(witness, true);
      runtime.create<Origin>(witness, runtime.create<Relay>(last, false));
    }
    runtime.stop();
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(runtime.metrics().events_handled, 4u * 20'000u);
  }
}

}  // namespace
