// What a machine on the pool of threads does as one under control does it.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "machines.hpp"

namespace {

using heddle::FailureKind;
using heddle::MachineId;
using production::adds_up;
using production::Failures;
using production::with;

struct A {};
struct B {};
struct Open {};
struct Number {
  int value = 0;
};
struct Working;

// --- deferral and receive -----------------------------------------------------------------------------------------

/// Defers numbers until it is opened, then writes them down.
class Shop : public heddle::Machine {
 public:
  explicit Shop(std::vector<int>& sold) : sold_(sold) {}
  struct Closed;
  struct Opened;
  static void declare(heddle::Declaration<Shop>& is) {
    is.state<Closed>().start().defer<Number>().go_to<Opened, Open>();
    is.state<Opened>().on<Number>(&Shop::sell);
  }

 private:
  void sell(const Number& number) { sold_.push_back(number.value); }
  std::vector<int>& sold_;
};

TEST(ProductionRules, deferred_events_keep_their_order_and_nothing_spins) {
  std::vector<int> sold;
  heddle::Runtime runtime(with(2));
  const MachineId shop = runtime.create<Shop>(sold);
  for (int i = 0; i < 20'000; ++i) runtime.send(shop, Number{i});
  runtime.wait();  // comes back: a machine that has but deferred events is at rest
  EXPECT_EQ(runtime.metrics().events_handled, 0u);
  runtime.send(shop, Open{});
  runtime.stop();
  ASSERT_EQ(sold.size(), 20'000u);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(sold[i], i);
}

class Asker : public heddle::Machine {
 public:
  explicit Asker(std::atomic<int>& sum) : sum_(sum) {}
  static void declare(heddle::Declaration<Asker>& is) {
    is.state<Working>().start().on<Open>(&Asker::ask).on<Number>(&Asker::late).ignore<A>();
  }

 private:
  heddle::Task ask() {
    for (int i = 0; i < 3; ++i) {
      const auto got =
          co_await receive(heddle::when<Number>([i](const Number& n) { return n.value == i; }), heddle::when<B>());
      sum_ += std::holds_alternative<Number>(got) ? 1 : 100;
    }
  }
  void late(const Number&) { sum_ += 10'000; }
  std::atomic<int>& sum_;
};

TEST(ProductionRules, a_task_in_receive_takes_no_thread) {
  std::atomic<int> sum = 0;
  heddle::Runtime runtime(with(1));
  std::vector<MachineId> askers;
  for (int i = 0; i < 100; ++i) askers.push_back(runtime.create<Asker>(sum));
  for (const MachineId asker : askers) runtime.send(asker, Open{});
  runtime.wait();  // all hundred wait, and one thread is there
  for (const MachineId asker : askers)
    for (const int value : {2, 7, 0, 1}) runtime.send(asker, Number{value});
  runtime.stop();
  EXPECT_EQ(sum, 100 * (3 + 10'000));  // three received in the order asked for, and the 7 handled after that
}

TEST(ProductionRules, a_task_that_waits_for_ever_is_a_deadlock_at_the_end) {
  Failures failures;
  std::atomic<int> sum = 0;
  heddle::Runtime runtime(with(2, &failures));
  runtime.send(runtime.create<Asker>(sum), Open{});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);
  EXPECT_EQ(failures.all()[0].kind, FailureKind::deadlock);
  EXPECT_EQ(failures.all()[0].message, "Asker(1) in state Working waits for Number or B, which nobody is left to send");
}

// --- failures --------------------------------------------------------------------------------------------------------

class Fragile : public heddle::Machine {
 public:
  explicit Fragile(std::atomic<int>& after) : after_(after) {}
  static void declare(heddle::Declaration<Fragile>& is) {
    is.state<Working>().start().on<A>(&Fragile::raise_error).on<B>(&Fragile::violate).on<Number>(&Fragile::judged);
    is.on_exception(&Fragile::judge);
  }

 private:
  void raise_error() { throw std::runtime_error("no luck"); }
  void violate() {
    require(false, "never");
    ++after_;
  }
  void judged(const Number& number) { throw number.value; }
  heddle::OnException judge(std::exception_ptr exception) {
    try {
      std::rethrow_exception(exception);
    } catch (int value) {
      if (value < 0) throw std::runtime_error("nor here");
      return value == 0 ? heddle::OnException::handled : heddle::OnException::halt;
    } catch (...) {
      return heddle::OnException::rethrow;
    }
  }
  std::atomic<int>& after_;
};

TEST(ProductionRules, what_fails_is_reported_once_and_the_machine_halts) {
  Failures failures;
  std::atomic<int> after = 0;
  heddle::Runtime runtime(with(1, &failures));
  const auto send_to_new = [&](auto event) {
    const MachineId machine = runtime.create<Fragile>(after);
    runtime.send(machine, std::move(event));
    runtime.send(machine, Number{0});  // too late
    runtime.wait();
  };
  send_to_new(A{});
  send_to_new(B{});
  send_to_new(Open{});
  send_to_new(Number{-1});
  runtime.stop();
  const std::vector<heddle::Failure> all = failures.all();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].kind, FailureKind::exception);
  EXPECT_EQ(all[0].message, "Fragile(1) in state Working on A throws std::runtime_error: no luck");
  EXPECT_EQ(all[1].kind, FailureKind::assertion);
  EXPECT_EQ(all[1].message, "Fragile(2) in state Working on B: never");
  EXPECT_EQ(all[2].kind, FailureKind::unhandled_event);
  EXPECT_EQ(all[3].kind, FailureKind::exception);
  EXPECT_EQ(all[3].message, "Fragile(4) in state Working judges int and throws std::runtime_error: nor here");
  EXPECT_EQ(after, 0);  // the action does not go on
  const heddle::Metrics metrics = runtime.metrics();
  EXPECT_EQ(metrics.failures, 4u);
  EXPECT_EQ(metrics.machines_halted, 4u);
  EXPECT_EQ(metrics.events_dropped, 4u);
  EXPECT_TRUE(adds_up(metrics));
}

TEST(ProductionRules, exceptions_are_the_machines_to_judge) {
  Failures failures;
  std::atomic<int> after = 0;
  heddle::Runtime runtime(with(2, &failures));
  const MachineId machine = runtime.create<Fragile>(after);
  for (int i = 0; i < 10; ++i) runtime.send(machine, Number{0});
  runtime.wait();
  EXPECT_EQ(runtime.metrics().machines_halted, 0u);
  runtime.send(machine, Number{1});
  runtime.stop();
  EXPECT_EQ(runtime.metrics().machines_halted, 1u);
  EXPECT_TRUE(failures.all().empty());
}

TEST(ProductionRules, without_a_handler_a_failure_ends_the_process) {
  EXPECT_DEATH(
      {
        std::atomic<int> after = 0;
        heddle::Runtime runtime(with(1));
        runtime.send(runtime.create<Fragile>(after), A{});
        runtime.wait();
      },
      "heddle: exception: Fragile\\(1\\) in state Working on A throws std::runtime_error: no luck");
}

class Quitter : public heddle::Machine {
 public:
  static void declare(heddle::Declaration<Quitter>& is) {
    is.state<Working>().start().on<A>(&Quitter::quit).on<Number>(&Quitter::take).defer<B>();
  }

 private:
  void quit() { halt(); }
  void take() {}
};

TEST(ProductionRules, what_must_be_handled_and_is_not_is_a_failure) {
  Failures failures;
  heddle::Runtime runtime(with(1, &failures));
  const MachineId machine = runtime.create<Quitter>();
  runtime.send(machine, B{}, {.must_handle = true});
  runtime.wait();
  runtime.send(machine, A{});
  runtime.wait();
  runtime.send(machine, B{}, {.must_handle = true});
  runtime.send(machine, B{});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 2u);
  for (const heddle::Failure& failure : failures.all())
    EXPECT_EQ(failure.message, "Quitter(1) halted without handling B, which was sent as must_handle");
  EXPECT_EQ(runtime.metrics().events_dropped, 3u);
}

TEST(ProductionRules, more_in_the_inbox_than_were_to_be_there_is_a_failure) {
  Failures failures;
  heddle::Runtime runtime(with(1, &failures));
  const MachineId machine = runtime.create<Quitter>();
  for (int i = 0; i < 3; ++i) runtime.send(machine, B{}, {.at_most = 2});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);
  EXPECT_EQ(failures.all()[0].message, "Quitter(1) has 3 B in its inbox, and at most 2 were to be there");
}

// --- monitors, choices, logs
// ------------------------------------------------------------------------------------------

/// Not more than one at a time; told by many threads.
class OneAtATime : public heddle::Monitor {
 public:
  struct Free;
  struct Taken;
  static void declare(heddle::MonitorDeclaration<OneAtATime>& is) {
    is.state<Free>().start().cold().go_to<Taken, A>().on<Number>(&OneAtATime::count);
    is.state<Taken>().hot().go_to<Free, B>().on<Number>(&OneAtATime::count);
  }

 private:
  void count(const Number& number) {
    sum_ += number.value;
    require(sum_ <= 4000, "more than 4000");
  }
  int sum_ = 0;
};

class Teller : public heddle::Machine {
 public:
  explicit Teller(int times) : times_(times) {}
  static void declare(heddle::Declaration<Teller>& is) { is.state<Working>().start().on_entry(&Teller::all); }

 private:
  void all() {
    for (int i = 0; i < times_; ++i) tell<OneAtATime>(Number{1});
  }
  int times_;
};

TEST(ProductionMonitors, are_told_one_event_at_a_time) {
  Failures failures;
  heddle::Runtime runtime(with(4, &failures));
  runtime.add_monitor<OneAtATime>();
  for (int i = 0; i < 8; ++i) runtime.create<Teller>(500);
  runtime.wait();
  EXPECT_TRUE(failures.all().empty());
  runtime.create<Teller>(1);
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);  // 4001 were told: none is lost
  EXPECT_EQ(failures.all()[0].message, "OneAtATime in state Free on Number: more than 4000");
}

TEST(ProductionMonitors, that_are_hot_at_the_end_are_a_failure) {
  Failures failures;
  heddle::Runtime runtime(with(1, &failures));
  runtime.add_monitor<OneAtATime>();
  runtime.tell<OneAtATime>(A{});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);
  EXPECT_EQ(failures.all()[0].message, "OneAtATime is hot in state Taken at the end");
}

class Gambler : public heddle::Machine {
 public:
  explicit Gambler(std::vector<std::uint32_t>& drawn) : drawn_(drawn) {}
  static void declare(heddle::Declaration<Gambler>& is) { is.state<Working>().start().on_entry(&Gambler::draw); }

 private:
  void draw() {
    for (int i = 0; i < 1000; ++i) {
      drawn_.push_back(choose(10));
      if (inject_failure()) drawn_.push_back(99);
    }
    log("drawn");
  }
  std::vector<std::uint32_t>& drawn_;
};

std::vector<std::uint32_t> drawn_with(std::uint64_t seed) {
  std::vector<std::uint32_t> drawn;
  heddle::RuntimeOptions options = with(1);
  options.seed = seed;
  heddle::Runtime runtime(options);
  runtime.create<Gambler>(drawn);
  runtime.stop();
  return drawn;
}

TEST(ProductionRules, choices_are_uniform_and_the_seeds) {
  const std::vector<std::uint32_t> drawn = drawn_with(1);
  std::vector<int> counts(100);
  for (const std::uint32_t value : drawn) ++counts[value];
  for (int value = 0; value < 10; ++value) {  // 100 expected of 1000, sigma 9.5; 4.2 sigma, one in 4,000 for all ten
    EXPECT_GT(counts[value], 60);
    EXPECT_LT(counts[value], 140);
  }
  EXPECT_EQ(counts[99], 0);  // in production nothing is made to fail
  EXPECT_EQ(drawn, drawn_with(1));
  EXPECT_NE(drawn, drawn_with(2));
}

TEST(ProductionRules, logs_tell_what_happened_in_the_order_of_each_machine) {
  std::mutex mutex;
  std::string lines;
  heddle::RuntimeOptions options = with(2);
  options.log = [&](const heddle::LogRecord& record) {
    const std::lock_guard lock(mutex);
    if (record.machine.number() != 1) return;
    lines += std::string(name(record.what)) + (record.event.empty() ? "" : " ") + std::string(record.event) + "; ";
  };
  heddle::Runtime runtime(options);
  const MachineId machine = runtime.create<Quitter>();
  runtime.wait();
  for (int i = 0; i < 2; ++i) {
    runtime.send(machine, B{});
    runtime.send(machine, Number{});
    runtime.wait();
  }
  runtime.send(machine, A{});
  runtime.wait();
  runtime.send(machine, Number{});
  runtime.stop();
  EXPECT_EQ(lines,
            "created; entered; deferred B; taken Number; deferred B; taken Number; taken A; halted; dropped B; "
            "dropped B; dropped Number; ");
}

TEST(ProductionRules, a_machine_cannot_wait_for_its_own_runtime) {
  struct Impatient : heddle::Machine {
    explicit Impatient(heddle::Runtime& the_runtime) : runtime(the_runtime) {}
    static void declare(heddle::Declaration<Impatient>& is) { is.state<Working>().start().on<A>(&Impatient::wait); }
    void wait() { runtime.wait(); }
    heddle::Runtime& runtime;
  };
  Failures failures;
  heddle::Runtime runtime(with(2, &failures));
  runtime.send(runtime.create<Impatient>(runtime), A{});
  runtime.stop();
  ASSERT_EQ(failures.all().size(), 1u);
  EXPECT_EQ(failures.all()[0].kind, FailureKind::exception);
}

}  // namespace
