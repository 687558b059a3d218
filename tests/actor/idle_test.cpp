// Machines that stand idle: they have no thread, and nothing else about them changes.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "actors_support.hpp"

namespace {

using actors_support::few;
using actors_support::verdict_of;
using heddle::MachineId;

constexpr int kMany = 400;  // more than the threads that heddle keeps for machines at rest

struct Go {};
struct Question {
  MachineId from;
};
struct Answer {};

/// Counts the events that it gets, in itself and in what belongs to its thread.
class Counter : public heddle::Machine {
 public:
  explicit Counter(int& all) : all_(all) {}
  struct Counting;
  static void declare(heddle::Declaration<Counter>& is) {
    is.state<Counting>().start().on<Go>(&Counter::count).on<Question>(&Counter::answer);
  }

 protected:
  void count() { ++all_; }
  void answer(const Question& question) { send(question.from, Answer{}); }
  int& all_;
};

std::size_t threads_of_process() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with("Threads:")) return std::stoul(line.substr(8));
  return 0;
}

void create_and_count(int machines, int& all) {
  heddle::Runtime runtime;
  std::vector<MachineId> ids;
  for (int i = 0; i < machines; ++i) ids.push_back(runtime.create<Counter>(all));
  for (const MachineId id : ids) runtime.send(id, Go{});
  for (const MachineId id : ids) runtime.send(id, Go{});
}

// Actions without a scheduling point are never left in the middle, so one thread at a time would do. The others are
// kept for machines at rest: 128 at most, and some that heddle needs itself. With a thread for each there would be
// 20,000.
TEST(IdleMachines, have_no_thread) {
  const std::size_t before = threads_of_process();
  int all = 0;
  const heddle::Result result = verdict_of([&] { create_and_count(20'000, all); }, 1);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(all % 40'000, 0);
  EXPECT_GT(all, 0);
  EXPECT_LT(threads_of_process(), before + 200);
}

/// Asks all the others, and waits for each answer in the middle of an action.
class Asker : public heddle::Machine {
 public:
  Asker(const std::vector<MachineId>& others, int& answers) : others_(others), answers_(answers) {}
  struct Asking;
  static void declare(heddle::Declaration<Asker>& is) { is.state<Asking>().start().on<Go>(&Asker::ask); }

 private:
  heddle::Task ask() {
    for (const MachineId other : others_) {
      send(other, Question{self()});
      co_await receive<Answer>();
      ++answers_;
    }
  }
  const std::vector<MachineId>& others_;
  int& answers_;
};

// Twenty that are in the middle of a task, among many that come and go. What each strategy chooses is checked twice
// over: a failure must happen again in the replay, or it is reported as not deterministic.
TEST(IdleMachines, go_on_where_they_were) {
  for (const char* strategy : {"random", "pct", "sticky"}) {
    heddle::Options options = few(3);
    options.strategy = strategy;
    int answers = 0;
    const heddle::Result result = heddle::try_explore(
        [&] {
          int unused = 0;
          answers = 0;
          heddle::Runtime runtime;
          std::vector<MachineId> others;
          for (int i = 0; i < kMany; ++i) others.push_back(runtime.create<Counter>(unused));
          std::vector<MachineId> askers;
          for (int i = 0; i < 20; ++i) askers.push_back(runtime.create<Asker>(others, answers));
          for (const MachineId asker : askers) runtime.send(asker, Go{});
          runtime.wait();
          if (answers != 20 * kMany) heddle::fail("an answer is missing");
          heddle::fail("the end");
        },
        options);
    ASSERT_TRUE(result.bug_found);
    EXPECT_EQ(result.report.find("NOT DETERMINISTIC"), std::string::npos) << result.report;
    EXPECT_NE(result.report.find("the end"), std::string::npos) << result.report;
  }
}

struct Kept {
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { value = 0; }
  int value = 0;
};

/// Keeps something in its thread that must be destroyed with the thread.
class Keeper : public heddle::Machine {
 public:
  explicit Keeper(int& wrong) : wrong_(wrong) {}
  struct Keeping;
  static void declare(heddle::Declaration<Keeper>& is) { is.state<Keeping>().start().on<Go>(&Keeper::keep); }

 private:
  void keep() {
    thread_local Kept kept;
    if (kept.value != seen_) ++wrong_;
    kept.value = ++seen_;
  }
  int& wrong_;
  int seen_ = 0;
};

TEST(IdleMachines, keep_a_thread_that_has_something_to_destroy) {
  int wrong = 0;
  verdict_of(
      [&] {
        heddle::Runtime runtime;
        std::vector<MachineId> ids;
        for (int i = 0; i < kMany; ++i) ids.push_back(runtime.create<Keeper>(wrong));
        for (int round = 0; round < 3; ++round) {
          for (const MachineId id : ids) runtime.send(id, Go{});
          runtime.wait();
        }
      },
      3);
  EXPECT_EQ(wrong, 0);
}

/// A thread of its own for each event, or one that another machine had: it is as new.
class Stranger : public heddle::Machine {
 public:
  explicit Stranger(std::set<int>& seen) : seen_(seen) {}
  struct Passing;
  static void declare(heddle::Declaration<Stranger>& is) { is.state<Passing>().start().on<Go>(&Stranger::pass); }

 private:
  void pass() {
    thread_local int visits = 0;
    seen_.insert(visits);
    visits += 1000 + static_cast<int>(self().number());
  }
  std::set<int>& seen_;
};

// A machine finds 0, or what it has left there itself.
TEST(IdleMachines, find_nothing_of_other_machines_in_their_thread) {
  verdict_of(
      [&] {
        std::set<int> seen;
        heddle::Runtime runtime;
        std::vector<MachineId> ids;
        for (int i = 0; i < kMany; ++i) ids.push_back(runtime.create<Stranger>(seen));
        for (const MachineId id : ids) runtime.send(id, Go{});
        runtime.wait();
        if (seen != std::set<int>{0}) heddle::fail("found what another machine had left");
      },
      3);
}

volatile sig_atomic_t handled = 0;

class Addressee : public heddle::Machine {
 public:
  Addressee(pthread_t& thread, int& events) : thread_(thread), events_(events) {}
  struct Waiting;
  static void declare(heddle::Declaration<Addressee>& is) { is.state<Waiting>().start().on<Go>(&Addressee::note); }

 private:
  void note() {
    thread_ = pthread_self();
    ++events_;
  }
  pthread_t& thread_;
  int& events_;
};

// The handler runs on top of what the machine has in its stack, which must then not be taken away: not even if many
// come that want one.
TEST(IdleMachines, handle_signals) {
  const heddle::Result result = verdict_of(
      [] {
        handled = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { handled = handled + 1; };
        sigaction(SIGUSR1, &action, nullptr);
        pthread_t thread{};
        int events = 0;
        int all = 0;
        heddle::Runtime runtime;
        const MachineId addressee = runtime.create<Addressee>(thread, events);
        runtime.send(addressee, Go{});
        runtime.wait();
        if (pthread_kill(thread, SIGUSR1) != 0) heddle::fail("no such thread");
        for (int i = 0; i < kMany; ++i) runtime.send(runtime.create<Counter>(all), Go{});
        runtime.send(addressee, Go{});
        runtime.wait();
        if (handled != 1) heddle::fail("the signal was not handled");
        if (events != 2) heddle::fail("an event was not handled");
      },
      20);
  EXPECT_FALSE(result.bug_found) << result.report;
}

}  // namespace
