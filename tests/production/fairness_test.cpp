// Every machine that has something to do gets its turn, whatever the others do: these tests end, or hang.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "machines.hpp"

namespace {

using heddle::MachineId;
using production::with;

struct Ball {
  MachineId from;
};
struct Go {};
struct Working;

/// Plays on until somebody says that it is over.
class Player : public heddle::Machine {
 public:
  explicit Player(const std::atomic<int>& others_left) : others_left_(others_left) {}
  static void declare(heddle::Declaration<Player>& is) { is.state<Working>().start().on<Ball>(&Player::play); }

 private:
  void play(const Ball& ball) {
    if (others_left_ > 0) send(ball.from, Ball{self()});
  }
  const std::atomic<int>& others_left_;
};

/// Sends itself a thousand events, one after the other.
class Walker : public heddle::Machine {
 public:
  explicit Walker(std::atomic<int>& left) : left_(left) {}
  static void declare(heddle::Declaration<Walker>& is) {
    is.state<Working>().start().on_entry(&Walker::walk).on<Go>(&Walker::walk);
  }

 private:
  void walk() {
    if (++steps_ == 1000)
      --left_;
    else
      send(self(), Go{});
  }
  std::atomic<int>& left_;
  int steps_ = 0;
};

TEST(ProductionFairness, two_that_wake_each_other_for_ever_starve_nobody) {
  for (std::uint32_t threads : {1u, 2u}) {
    std::atomic<int> left = 300;  // more than the ring of a worker holds
    heddle::Runtime runtime(with(threads));
    for (int pair = 0; pair < 3; ++pair) {
      const MachineId one = runtime.create<Player>(left), other = runtime.create<Player>(left);
      runtime.send(one, Ball{other});
    }
    for (int i = 0; i < 300; ++i) runtime.create<Walker>(left);
    runtime.stop();
    EXPECT_EQ(left, 0);
  }
}

/// Comes back when as many are inside as there are threads.
class Blocker : public heddle::Machine {
 public:
  Blocker(std::atomic<int>& inside, int all) : inside_(inside), all_(all) {}
  static void declare(heddle::Declaration<Blocker>& is) { is.state<Working>().start().on<Go>(&Blocker::block); }

 private:
  void block() {
    ++inside_;
    while (inside_ < all_) std::this_thread::yield();
  }
  std::atomic<int>& inside_;
  int all_;
};

class Starter : public heddle::Machine {
 public:
  Starter(std::atomic<int>& inside, int all) : inside_(inside), all_(all) {}
  static void declare(heddle::Declaration<Starter>& is) { is.state<Working>().start().on_entry(&Starter::start); }

 private:
  void start() {
    for (int i = 1; i < all_; ++i) send(create<Blocker>(inside_, all_), Go{});
    ++inside_;
    while (inside_ < all_) std::this_thread::yield();  // one of them is the next of this very worker
  }
  std::atomic<int>& inside_;
  int all_;
};

TEST(ProductionFairness, every_thread_gets_work_and_none_keeps_what_it_cannot_do) {
  for (int threads : {2, 3, 8}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::atomic<int> inside = 0;
      heddle::Runtime runtime(with(static_cast<std::uint32_t>(threads)));
      runtime.create<Starter>(inside, threads);
      runtime.stop();
      EXPECT_EQ(inside, threads);
    }
  }
}

TEST(ProductionFairness, threads_that_slept_are_woken) {
  heddle::Runtime runtime(with(4));
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::atomic<int> inside = 0;
    std::vector<MachineId> blockers;
    for (int i = 0; i < 4; ++i) blockers.push_back(runtime.create<Blocker>(inside, 4));
    for (const MachineId blocker : blockers) runtime.send(blocker, Go{});
    runtime.wait();
    EXPECT_EQ(inside, 4);
  }
}

}  // namespace
