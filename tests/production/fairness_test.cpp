// Every machine that has something to do gets its turn, whatever the others do: these tests end, or hang.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
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

/// Does next to nothing many times, so that its worker keeps to itself what it wakes, and is a Starter then.
class Changing : public heddle::Machine {
 public:
  Changing(std::atomic<int>& inside, int all) : inside_(inside), all_(all) {}
  static void declare(heddle::Declaration<Changing>& is) {
    is.state<Working>().start().on_entry(&Changing::walk).on<Go>(&Changing::walk);
  }

 private:
  void walk() {
    if (++steps_ < 100'000) return send(self(), Go{});
    for (int i = 1; i < all_; ++i) send(create<Blocker>(inside_, all_), Go{});
    ++inside_;
    while (inside_ < all_) std::this_thread::yield();
  }
  std::atomic<int>& inside_;
  int all_;
  int steps_ = 0;
};

TEST(ProductionFairness, a_worker_that_becomes_slow_shares_what_it_kept) {
  for (int threads : {2, 3, 8}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      std::atomic<int> inside = 0;
      heddle::Runtime runtime(with(static_cast<std::uint32_t>(threads)));
      runtime.create<Changing>(inside, threads);
      runtime.stop();
      EXPECT_EQ(inside, threads);
    }
  }
}

constexpr int kNumbers = 20'000;  // that each sender sends
constexpr int kSenders = 8;

struct Number {
  int sender;
  int value;
};

/// Checks the order of the numbers of each sender. In the middle it waits, without leaving its thread, until all have
/// been sent.
class Receiver : public heddle::Machine {
 public:
  Receiver(const std::atomic<int>& sending, std::atomic<int>& received) : sending_(sending), received_(received) {}
  static void declare(heddle::Declaration<Receiver>& is) { is.state<Working>().start().on<Number>(&Receiver::take); }

 private:
  void take(const Number& number) {
    int& last = last_[static_cast<std::size_t>(number.sender)];
    require(number.value == ++last, "a number came out of turn");
    if (++received_ == kNumbers)
      while (sending_ > 0) std::this_thread::yield();
  }
  const std::atomic<int>& sending_;
  std::atomic<int>& received_;
  std::array<int, kSenders> last_{};
};

class Sender : public heddle::Machine {
 public:
  Sender(MachineId to, int name, std::atomic<int>& sending) : to_(to), name_(name), sending_(sending) {}
  static void declare(heddle::Declaration<Sender>& is) {
    is.state<Working>().start().on_entry(&Sender::burst).on<Go>(&Sender::burst);
  }

 private:
  void burst() {
    for (int i = 0; i < 100; ++i) send(to_, Number{name_, ++sent_});
    if (sent_ < kNumbers)
      send(self(), Go{});
    else
      --sending_;
  }
  const MachineId to_;
  const int name_;
  std::atomic<int>& sending_;
  int sent_ = 0;
};

// Senders that follow their receiver to its worker, which then cannot run them.
TEST(ProductionFairness, senders_are_not_stuck_behind_their_receiver) {
  for (std::uint32_t threads : {2u, 4u}) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      std::atomic<int> sending = kSenders;
      std::atomic<int> received = 0;
      heddle::Runtime runtime(with(threads));
      const MachineId to = runtime.create<Receiver>(sending, received);
      for (int i = 0; i < kSenders; ++i) runtime.create<Sender>(to, i, sending);
      runtime.stop();
      EXPECT_EQ(received, kSenders * kNumbers);
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
