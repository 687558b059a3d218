// Timers, temperature, logs and what strategies that learn see.
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "actors_support.hpp"

namespace {

using actors_support::few;
using actors_support::verdict_of;
using heddle::MachineId;

struct Tick {};
struct Reply {};

/// Waits for a reply until a timer fires.
class Patient : public heddle::Machine {
 public:
  explicit Patient(std::string& notes) : notes_(notes) {}
  struct Waiting;
  struct Done;
  static void declare(heddle::Declaration<Patient>& is) {
    is.state<Waiting>()
        .start()
        .on_entry(&Patient::begin)
        .go_to<Done, Reply>(&Patient::replied)
        .go_to<Done, Tick>(&Patient::timed_out);
    is.state<Done>().ignore<Reply, Tick>();
  }

 private:
  void begin() { timer_ = start_timer(std::chrono::milliseconds(5), Tick{}); }
  void replied() {
    stop_timer(timer_);
    notes_ += "reply";
  }
  void timed_out() { notes_ += "timeout"; }
  std::string& notes_;
  heddle::TimerId timer_;
};

TEST(Timers, fire_whenever_the_strategy_says_so) {
  std::set<std::string> seen;
  heddle::explore(
      [&] {
        std::string notes;
        {
          heddle::Runtime runtime;
          const MachineId patient = runtime.create<Patient>(notes);
          runtime.send(patient, Reply{});
        }
        seen.insert(notes);
      },
      few());
  EXPECT_EQ(seen, (std::set<std::string>{"reply", "timeout"}));
}

TEST(Timers, that_fire_once_keep_the_runtime_waiting) {
  heddle::explore(
      [] {
        std::string notes;
        heddle::Runtime runtime;
        runtime.create<Patient>(notes);
        runtime.wait();
        if (notes != "timeout") heddle::fail("did not wait for the timer");
      },
      few());
}

TEST(Timers, that_are_periodic_fire_again_and_stop_with_their_machine) {
  struct M : heddle::Machine {
    explicit M(int& ticks) : ticks_(ticks) {}
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on_entry(&M::begin).on<Tick>(&M::tick); }
    heddle::Task begin() {
      start_periodic_timer(std::chrono::milliseconds(1), std::chrono::milliseconds(1), Tick{});
      co_await receive<Tick>();
      co_await receive<Tick>();
      ticks_ += 2;
    }
    void tick() {
      if (++ticks_ == 5) halt();
    }
    int& ticks_;
  };
  std::set<int> seen;
  heddle::explore(
      [&] {
        int ticks = 0;
        heddle::Runtime runtime;
        runtime.create<M>(ticks);
        runtime.wait();
        while (ticks < 2) heddle::step();  // what it waits for comes by the timer alone
        runtime.stop();
        if (ticks > 5) heddle::fail("fired after the machine halted");
        seen.insert(ticks);
      },
      few(500));
  EXPECT_EQ(*seen.rbegin(), 5);
  EXPECT_GT(seen.size(), 1u);  // they do not keep the runtime waiting
}

// --- temperature -----------------------------------------------------------------------------------------------------

struct Owe {};
struct Look {};
struct Pay {};

class Debt : public heddle::Monitor {
 public:
  struct None;
  struct Owed;
  struct Looked;
  static void declare(heddle::MonitorDeclaration<Debt>& is) {
    is.state<None>().start().cold().go_to<Owed, Owe>().ignore<Look, Pay>();
    is.state<Owed>().hot().go_to<Looked, Look>().go_to<None, Pay>();
    is.state<Looked>().go_to<Owed, Owe>().go_to<None, Pay>();
  }
};

/// Goes round for ever, or so often, and tells in each round what `tells` says.
class Spinner : public heddle::Machine {
 public:
  using Tells = void (Spinner::*)(int);
  explicit Spinner(Tells tells, int rounds, int& round) : tells_(tells), rounds_(rounds), round_(round) {}
  struct X;
  static void declare(heddle::Declaration<Spinner>& is) {
    is.state<X>().start().on_entry(&Spinner::go).on<Tick>(&Spinner::go);
  }
  void owes_once(int round) {
    if (round == 0) tell<Debt>(Owe{});
  }
  void pays_late(int round) {
    if (round % 50 == 0) tell<Debt>(Owe{});
    if (round % 50 == 49) tell<Debt>(Pay{});
  }
  void is_hot_every_other_round(int round) {
    if (round % 2 == 0)
      tell<Debt>(Owe{});
    else
      tell<Debt>(Look{});
  }

 private:
  void go() {
    (this->*tells_)(round_);
    if (++round_ < rounds_) send(self(), Tick{});
  }
  Tells tells_;
  int rounds_;
  int& round_;
};

heddle::Result spin(Spinner::Tells tells, int rounds, int& round, const std::string& strategy = "random") {
  heddle::Options options = few(5);
  options.strategy = strategy;
  return heddle::try_explore(
      [&] {
        round = 0;
        heddle::RuntimeOptions runtime_options;
        runtime_options.temperature_max = 100;
        heddle::Runtime runtime(runtime_options);
        runtime.add_monitor<Debt>();
        runtime.create<Spinner>(tells, rounds, round);
      },
      options);
}

TEST(Temperature, grows_with_each_step_while_hot) {
  int round = 0;
  const heddle::Result result = spin(&Spinner::owes_once, 1000, round);
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "Debt is hot in state Owed for 100 steps");
  EXPECT_NEAR(round, 100, 2);  // a step a round: the send
}

TEST(Temperature, is_reset_in_a_cold_state) {
  int round = 0;
  EXPECT_FALSE(spin(&Spinner::pays_late, 1000, round).bug_found);
  EXPECT_EQ(round, 1000);
}

TEST(Temperature, stays_in_a_warm_state) {
  int round = 0;
  const heddle::Result result = spin(&Spinner::is_hot_every_other_round, 1000, round);
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_NEAR(round, 200, 4);  // every other step counts
}

TEST(Temperature, says_nothing_under_a_strategy_that_is_not_fair) {
  int round = 0;
  const heddle::Result result = spin(&Spinner::owes_once, 1000, round, "dfs");
  EXPECT_EQ(result.message, "Debt is hot in state Owed at the end");
  EXPECT_EQ(round, 1000);
}

// --- logs ------------------------------------------------------------------------------------------------------------

TEST(Logs, tell_what_happens_in_order) {
  struct Other : heddle::Machine {
    struct Only;
    static void declare(heddle::Declaration<Other>& is) { is.state<Only>().start().on<Tick>(&Other::act); }
    void act() {
      log("tick");
      halt();
    }
  };
  std::vector<std::string> lines;
  heddle::explore(
      [&] {
        lines.clear();
        heddle::RuntimeOptions options;
        options.log = [&](const heddle::LogRecord& r) {
          lines.push_back(std::string(name(r.what)) + " " + r.machine.text() + " " + r.other.text() + " " +
                          std::string(r.state) + " " + std::string(r.event) + " " + std::string(r.text));
        };
        heddle::Runtime runtime(options);
        const MachineId other = runtime.create_named<Other>("left");
        runtime.wait();
        runtime.send(other, Tick{});
        runtime.wait();
        runtime.send(other, Tick{});
      },
      few(1));
  EXPECT_EQ(lines, (std::vector<std::string>{"created Other(1) nobody (new)  left", "entered Other(1) nobody Only  ",
                                             "sent nobody Other(1)  Tick ", "taken Other(1) nobody Only Tick ",
                                             "text Other(1) nobody Only  tick", "halted Other(1) nobody Only  ",
                                             "sent nobody Other(1)  Tick ", "dropped Other(1) nobody Only Tick "}));
}

// --- ends ------------------------------------------------------------------------------------------------------------

TEST(Ends, abort_drops_and_counts) {
  heddle::explore(
      [] {
        std::string notes;
        heddle::Runtime runtime;
        const MachineId patient = runtime.create<Patient>(notes);
        for (int i = 0; i < 10; ++i) runtime.send(patient, Reply{});
        runtime.abort();
        const heddle::Metrics metrics = runtime.metrics();
        if (metrics.events_handled + metrics.events_dropped != metrics.events_sent) heddle::fail("lost one");
      },
      few());
}

TEST(Ends, an_exception_of_the_body_is_the_verdict_not_what_it_leaves_behind) {
  const heddle::Result result = verdict_of([] {
    heddle::Runtime runtime;
    runtime.add_monitor<Debt>();
    runtime.tell<Debt>(Owe{});
    throw std::runtime_error("first");
  });
  EXPECT_EQ(result.verdict, "exception");
}

TEST(Ends, two_runtimes_may_follow_each_other) {
  heddle::explore(
      [] {
        for (int i = 0; i < 2; ++i) {
          std::string notes;
          heddle::Runtime runtime;
          runtime.send(runtime.create<Patient>(notes), Reply{});
        }
      },
      few());
}

TEST(Ends, a_machine_that_hangs_in_an_action_is_a_deadlock) {
  struct M : heddle::Machine {
    explicit M(std::mutex& mutex) : mutex_(mutex) {}
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on_entry(&M::hang); }
    void hang() { const std::lock_guard lock(mutex_); }
    std::mutex& mutex_;
  };
  const heddle::Result result = verdict_of([] {
    std::mutex mutex;
    mutex.lock();
    heddle::Runtime runtime;
    runtime.create<M>(mutex);
    runtime.wait();
  });
  EXPECT_EQ(result.verdict, "deadlock");
  EXPECT_EQ(result.message, "T0 waits for i1, T1 waits for m1 (held by T0)");
}

}  // namespace
