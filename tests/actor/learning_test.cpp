// What strategies that learn see of machines.
#include <gtest/gtest.h>

#include <cstdint>

#include "actors_support.hpp"
#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"

namespace {

constexpr int kLength = 10;

struct Go {};

/// Guesses a string, one choice a digit; what it shows is how far it is.
class Guesser : public heddle::Machine {
 public:
  explicit Guesser(int& guessed) : guessed_(guessed) {}
  struct Guessing;
  static void declare(heddle::Declaration<Guesser>& is) { is.state<Guessing>().start().on<Go>(&Guesser::guess); }
  std::uint64_t hash() const { return static_cast<std::uint64_t>(matched_ + 1); }

 private:
  void guess(const Go&) {
    for (int i = 0; i < kLength; ++i)
      if (matched_ >= 0) matched_ = choose(2) == static_cast<std::uint32_t>(i % 2) ? matched_ + 1 : -1;
    guessed_ += matched_ == kLength;
  }
  int matched_ = 0;
  int& guessed_;
};

// A random walk guesses it in one of 1,024 executions; QL, with the paper's program, in more than 7 of 100.
TEST(Learning, SeesAMachineAsItIsWhenItChooses) {
  for (const char* strategy : {"avoid", "ql", "ql_custom"}) {
    int guessed = 0;
    heddle::Options options = actors_support::few(3'000);
    options.strategy = strategy;
    (void)heddle::explore(
        [&] {
          heddle::Runtime runtime;
          runtime.send(runtime.create<Guesser>(guessed), Go{});
        },
        options);
    EXPECT_GT(guessed, 100) << strategy;
  }
}

/// Is asked what it shows.
class Asked : public heddle::Machine {
 public:
  explicit Asked(int& times) : times_(times) {}
  struct Idle;
  static void declare(heddle::Declaration<Asked>& is) { is.state<Idle>().start().ignore<Go>(); }
  std::uint64_t hash() const { return static_cast<std::uint64_t>(++times_); }

 private:
  int& times_;
};

int times_asked(const char* strategy) {
  int times = 0;
  heddle::Options options = actors_support::few(100);
  options.strategy = strategy;
  (void)heddle::explore(
      [&] {
        heddle::Runtime runtime;
        runtime.send(runtime.create<Asked>(times), Go{});
      },
      options);
  return times;
}

// To find out what a machine shows takes longer than a step.
TEST(Learning, AsksMachinesOnlyForStrategiesThatLook) {
  for (const char* strategy : {"avoid", "ql", "ql_custom", "bonus", "greedy", "statedelay", "rff:signal=states",
                               "rff:signal=user", "fest:signal=states", "portfolio"})
    EXPECT_GT(times_asked(strategy), 0) << strategy;
  for (const char* strategy : {"random", "pct", "pos", "dfs", "ql_inbox", "avoid_inbox", "rff", "fest", "maple"})
    EXPECT_EQ(times_asked(strategy), 0) << strategy;
}

}  // namespace
