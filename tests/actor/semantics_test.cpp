// The rules of machines, one a test, on every schedule that a few hundred executions show.
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "actors_support.hpp"

namespace {

using actors_support::few;
using actors_support::verdict_of;
using heddle::MachineId;

struct A {};
struct B {};
struct C {};
struct Number {
  int value = 0;
};

/// A machine whose actions write down what happens.
class Noting : public heddle::Machine {
 public:
  explicit Noting(std::string& notes) : notes_(notes) {}

 protected:
  template <char kLetter>
  void note() {
    notes_ += kLetter;
  }
  std::string& notes_;
};

/// Runs M on the events and gives what it noted; in all executions the same, and in production.
template <typename M, typename... Es>
std::string notes_of(Es... events) {
  const auto run = [&] {
    std::string notes;
    {
      heddle::Runtime runtime;
      const MachineId machine = runtime.create<M>(notes);
      (runtime.send(machine, events), ...);
    }
    return notes;
  };
  std::string last;
  heddle::explore(
      [&] {
        const std::string notes = run();
        if (!last.empty() && notes != last) heddle::fail("once " + last + ", then " + notes);
        last = notes;
      },
      few());
  EXPECT_EQ(run(), last) << "in production";
  return last;
}

TEST(Rules, exit_then_action_then_entry) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    struct Y;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().on_entry(&M::note<'1'>).on_exit(&M::note<'2'>).go_to<Y, A>(&M::note<'3'>);
      is.state<Y>().on_entry(&M::note<'4'>);
    }
  };
  EXPECT_EQ(notes_of<M>(A{}), "1234");
}

TEST(Rules, go_to_the_same_state_leaves_and_enters_it) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().on_entry(&M::note<'1'>).on_exit(&M::note<'2'>).on<A>(&M::again);
    }
    void again() { go_to<X>(); }
  };
  EXPECT_EQ(notes_of<M>(A{}), "121");
}

TEST(Rules, a_raised_event_comes_before_the_inbox) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().on<A>(&M::raise_b).on<B>(&M::note<'b'>).on<C>(&M::note<'c'>);
    }
    void raise_b() {
      send(self(), C{});
      raise(B{});
      note<'a'>();
    }
  };
  EXPECT_EQ(notes_of<M>(A{}), "abc");
}

TEST(Rules, deferred_events_are_taken_in_their_order_when_the_state_allows) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    struct Y;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().defer<A, B>().go_to<Y, C>();
      is.state<Y>().on<A>(&M::note<'a'>).on<B>(&M::note<'b'>);
    }
  };
  EXPECT_EQ(notes_of<M>(A{}, B{}, A{}, C{}, B{}), "abab");
}

TEST(Rules, defer_any_and_ignore_any_leave_what_is_named) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    struct Y;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().defer_any().go_to<Y, C>();
      is.state<Y>().ignore_any().on<A>(&M::note<'a'>);
    }
  };
  EXPECT_EQ(notes_of<M>(A{}, B{}, Number{}, C{}, A{}), "aa");
}

TEST(Rules, a_specific_line_beats_the_wildcard_of_its_state) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on<A>(&M::note<'a'>).on_any(&M::any); }
    void any(heddle::AnyEvent event) {
      notes_ += event.name();
      if (const Number* number = event.as<Number>()) notes_ += std::to_string(number->value);
    }
  };
  EXPECT_EQ(notes_of<M>(B{}, A{}, Number{7}), "BaNumber7");
}

struct Pushing : Noting {
  using Noting::Noting;
  struct Low;
  struct High;
  struct Other;
  static void declare(heddle::Declaration<Pushing>& is) {
    is.state<Low>()
        .start()
        .on_entry(&Pushing::note<'l'>)
        .on_exit(&Pushing::note<'L'>)
        .push<High, A>()
        .on<B>(&Pushing::note<'b'>)
        .go_to<Other, C>();
    is.state<High>().on_entry(&Pushing::note<'h'>).on_exit(&Pushing::note<'H'>).on<Number>(&Pushing::number);
    is.state<Other>().on_entry(&Pushing::note<'o'>);
  }
  void number(const Number& number) {
    if (number.value == 0) pop();
    if (number.value == 1) push<Other>();
  }
};

TEST(Rules, a_pushed_state_has_the_actions_of_those_below) { EXPECT_EQ(notes_of<Pushing>(A{}, B{}), "lhb"); }
TEST(Rules, a_transition_of_a_state_below_pops_first) { EXPECT_EQ(notes_of<Pushing>(A{}, C{}), "lhHLo"); }
TEST(Rules, pop_leaves_and_enters_nothing) { EXPECT_EQ(notes_of<Pushing>(A{}, Number{0}, B{}, C{}), "lhHbLo"); }
TEST(Rules, an_action_can_push) { EXPECT_EQ(notes_of<Pushing>(A{}, Number{1}, B{}), "lhob"); }

TEST(Rules, the_line_nearest_to_the_top_wins) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    struct Y;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().push<Y, A>().on<B>(&M::note<'x'>).ignore<C>();
      is.state<Y>().on<B>(&M::note<'y'>).on_any(&M::note<'?'>);
    }
  };
  EXPECT_EQ(notes_of<M>(B{}, A{}, B{}, C{}), "xy?");
}

TEST(Rules, the_idle_action_runs_once_when_there_is_nothing_to_take) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on_idle(&M::note<'i'>).on<A>(&M::mark); }
    void mark() { notes_ = "a"; }
  };
  EXPECT_EQ(notes_of<M>(A{}), "ai");
}

TEST(Rules, events_between_two_machines_keep_their_order) {
  struct Receiver : heddle::Machine {
    explicit Receiver(std::vector<int>& got) : got_(got) {}
    struct X;
    static void declare(heddle::Declaration<Receiver>& is) { is.state<X>().start().on<Number>(&Receiver::get); }
    void get(Number&& number) { got_.push_back(number.value); }
    std::vector<int>& got_;
  };
  struct Sender : heddle::Machine {
    Sender(MachineId to, int first) : to_(to), first_(first) {}
    struct X;
    static void declare(heddle::Declaration<Sender>& is) { is.state<X>().start().on_entry(&Sender::go); }
    void go() {
      for (int i = 0; i < 3; ++i) send(to_, Number{first_ + i});
    }
    MachineId to_;
    int first_;
  };
  bool mixed = false, inverse = false;
  heddle::explore(
      [&] {
        std::vector<int> got;
        {
          heddle::Runtime runtime;
          const MachineId receiver = runtime.create<Receiver>(got);
          runtime.create<Sender>(receiver, 10);
          runtime.create<Sender>(receiver, 20);
        }
        std::vector<int> tens, twenties;
        for (const int value : got) (value < 20 ? tens : twenties).push_back(value);
        if (tens != std::vector{10, 11, 12} || twenties != std::vector{20, 21, 22}) heddle::fail("out of order");
        mixed = mixed || (got.front() < 20 && got.back() < 20);
        inverse = inverse || got.front() >= 20;
      },
      few(500));
  EXPECT_TRUE(mixed);  // and the two are interleaved in every way
  EXPECT_TRUE(inverse);
}

TEST(Rules, a_payload_moves_from_the_sender_to_the_action) {
  struct Big {
    std::unique_ptr<int> value;
  };
  struct M : heddle::Machine {
    explicit M(int& sum) : sum_(sum) {}
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on<Big>(&M::get); }
    void get(Big&& big) {
      const std::unique_ptr<int> mine = std::move(big.value);
      sum_ += *mine;
    }
    int& sum_;
  };
  heddle::explore(
      [] {
        int sum = 0;
        heddle::Runtime runtime;
        const MachineId machine = runtime.create<M>(sum);
        runtime.send(machine, Big{std::make_unique<int>(42)});
        runtime.stop();
        if (sum != 42) heddle::fail("lost");
      },
      few());
}

// --- receive -------------------------------------------------------------------------------------------------------

TEST(Receive, takes_what_it_waits_for_and_leaves_the_rest) {
  struct M : Noting {
    using Noting::Noting;
    struct X;
    static void declare(heddle::Declaration<M>& is) {
      is.state<X>().start().on<A>(&M::wait).on<B>(&M::note<'b'>).on<C>(&M::note<'c'>).on<Number>(&M::note<'n'>);
    }
    heddle::Task wait() {
      const auto got =
          co_await receive(heddle::when<Number>([](const Number& n) { return n.value > 5; }), heddle::when<C>());
      notes_ += std::holds_alternative<C>(got) ? "C" : std::to_string(std::get<Number>(got).value);
      co_await inner();
      go_to<X>();
    }
    heddle::Task inner() {
      co_await receive<A>();
      note<'A'>();
    }
  };
  EXPECT_EQ(notes_of<M>(A{}, B{}, Number{3}, Number{8}, C{}, A{}), "8Abnc");
}

TEST(Receive, for_ever_is_a_deadlock) {
  struct M : heddle::Machine {
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on_entry(&M::wait); }
    heddle::Task wait() { co_await receive<A, B>(); }
  };
  const heddle::Result result = verdict_of([] {
    heddle::Runtime runtime;
    runtime.create<M>();
  });
  EXPECT_EQ(result.verdict, "deadlock");
  EXPECT_EQ(result.message, "M(1) in state X waits for A or B, which nobody is left to send");
}

// --- failures --------------------------------------------------------------------------------------------------------

struct Failing : heddle::Machine {
  struct X;
  static void declare(heddle::Declaration<Failing>& is) {
    is.state<X>()
        .start()
        .on<A>(&Failing::throws)
        .on<B>(&Failing::two_wishes)
        .on<C>(&Failing::pops)
        .on<Number>(&Failing::requires_it);
  }
  void throws() { throw std::runtime_error("out of paper"); }
  void two_wishes() {
    raise(A{});
    go_to<X>();
  }
  void pops() { pop(); }
  void requires_it(const Number& number) { require(number.value > 0, "the number is positive"); }
};

template <typename M, typename E>
heddle::Result failure_on(E event) {
  return verdict_of([&] {
    heddle::Runtime runtime;
    runtime.send(runtime.create<M>(), event);
  });
}

TEST(Failures, name_machine_state_and_event) {
  const heddle::Result thrown = failure_on<Failing>(A{});
  EXPECT_EQ(thrown.verdict, "exception");
  EXPECT_EQ(thrown.message, "Failing(1) in state X on A throws std::runtime_error: out of paper");
  const heddle::Result violated = failure_on<Failing>(Number{0});
  EXPECT_EQ(violated.verdict, "assertion");
  EXPECT_EQ(violated.message, "Failing(1) in state X on Number: the number is positive");
}

TEST(Failures, two_wishes_in_one_action_are_named) {
  const heddle::Result result = failure_on<Failing>(B{});
  EXPECT_EQ(result.verdict, "misuse");
  EXPECT_EQ(result.message,
            "Failing(1) in state X calls go_to after raise in one action; an action may call one of them");
}

TEST(Failures, a_pop_without_a_push) {
  const heddle::Result result = failure_on<Failing>(C{});
  EXPECT_EQ(result.verdict, "misuse");
  EXPECT_EQ(result.message, "Failing(1) in state X pops its last state; nothing was pushed");
}

TEST(Failures, a_wish_in_an_exit_action) {
  struct M : heddle::Machine {
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().go_to<X, A>().on_exit(&M::wrong); }
    void wrong() { halt(); }
  };
  const heddle::Result result = failure_on<M>(A{});
  EXPECT_EQ(result.verdict, "misuse");
  EXPECT_EQ(
      result.message,
      "M(1) in state X calls halt in an exit action or in that of a transition; what comes next is settled there");
}

TEST(Failures, a_state_that_is_not_declared) {
  struct M : heddle::Machine {
    struct X;
    struct Y;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on<A>(&M::wrong); }
    void wrong() { go_to<Y>(); }
  };
  EXPECT_EQ(failure_on<M>(A{}).message, "M(1) in state X wants to go to `Y`, which it does not declare as a state");
}

TEST(Failures, a_constructor_cannot_act) {
  struct M : heddle::Machine {
    M() { halt(); }
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start(); }
  };
  bool thrown = false;
  heddle::explore(
      [&] {
        heddle::Runtime runtime;
        try {
          runtime.create<M>();
        } catch (const heddle::ActorError&) {
          thrown = true;
        }
      },
      few(1));
  EXPECT_TRUE(thrown);
}

struct Judged : Noting {
  using Noting::Noting;
  struct X;
  static void declare(heddle::Declaration<Judged>& is) {
    is.state<X>().start().on<A>(&Judged::throws).on<B>(&Judged::note<'b'>).on<Number>(&Judged::throws_number);
    is.on_exception(&Judged::judge);
  }
  void throws() { throw std::runtime_error("x"); }
  heddle::Task throws_number() {
    co_await receive<C>();
    throw 1;
  }
  heddle::OnException judge(std::exception_ptr exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception&) {
      note<'e'>();
      return heddle::OnException::handled;
    } catch (...) {
      note<'h'>();
      return heddle::OnException::halt;
    }
  }
  void on_halt() override { note<'H'>(); }
  void on_event_dropped(const heddle::AnyEvent& event) override { notes_ += event.name(); }
};

TEST(Failures, an_exception_may_be_handled) { EXPECT_EQ(notes_of<Judged>(A{}, B{}), "eb"); }

// --- halt ------------------------------------------------------------------------------------------------------------

TEST(Halt, drops_and_counts_what_comes) {
  heddle::explore(
      [] {
        std::string notes;
        heddle::Runtime runtime;
        const MachineId machine = runtime.create<Judged>(notes);
        runtime.send(machine, Number{});
        runtime.wait();
        runtime.send(machine, B{});
        runtime.send(machine, C{});
        runtime.wait();
        if (notes != "hHB") heddle::fail(notes);
        runtime.send(machine, A{});
        runtime.send(machine, A{});
        runtime.stop();
        const heddle::Metrics metrics = runtime.metrics();
        if (metrics.events_dropped != 3 || metrics.events_sent != 5 || metrics.events_handled != 2)
          heddle::fail("miscounted");
        if (metrics.machines_created != 1 || metrics.machines_halted != 1) heddle::fail("miscounted machines");
      },
      few());
}

TEST(Halt, with_an_event_that_must_be_handled_is_a_failure) {
  struct M : heddle::Machine {
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on<A>(&M::end).defer<B>(); }
    void end() { halt(); }
  };
  const heddle::Result result = verdict_of([] {
    heddle::Runtime runtime;
    const MachineId machine = runtime.create<M>();
    runtime.send(machine, B{}, {.must_handle = true});
    runtime.send(machine, A{});
  });
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "M(1) halted without handling B, which was sent as must_handle");
}

TEST(SendOptions, at_most_bounds_the_inbox) {
  struct M : heddle::Machine {
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().defer<B>(); }
  };
  const heddle::Result result = verdict_of([] {
    heddle::Runtime runtime;
    const MachineId machine = runtime.create<M>();
    for (int i = 0; i < 3; ++i) runtime.send(machine, B{}, {.at_most = 2});
  });
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "M(1) has 3 B in its inbox, and at most 2 were to be there");
}

// --- choices and ids
// ---------------------------------------------------------------------------------------------------

TEST(Choices, are_explored) {
  struct M : heddle::Machine {
    explicit M(unsigned& got) : got_(got) {}
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start().on_entry(&M::go); }
    void go() {
      const std::vector<unsigned> of{10, 20, 30};
      got_ = choose(4) * 100 + choose_of(of) + (choose_bool() ? 1 : 0) + (inject_failure() ? 2 : 0);
    }
    unsigned& got_;
  };
  std::unordered_set<unsigned> seen;
  heddle::Options options = few(100'000);
  options.strategy = "dfs";
  const heddle::Result result = heddle::explore(
      [&] {
        unsigned got = 0;
        {
          heddle::Runtime runtime;
          runtime.create<M>(got);
        }
        seen.insert(got);
      },
      options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(seen.size(), 4u * 3 * 2 * 2);
}

TEST(MachineIds, are_values) {
  struct M : heddle::Machine {
    struct X;
    static void declare(heddle::Declaration<M>& is) { is.state<X>().start(); }
  };
  heddle::explore(
      [] {
        heddle::Runtime runtime;
        const MachineId one = runtime.create<M>();
        const MachineId two = runtime.create<M>();
        std::ostringstream text;
        text << one << " " << two << " " << MachineId();
        if (text.str() != "M(1) M(2) nobody" || one == two || !(one < two) || MachineId()) heddle::fail(text.str());
        if (std::unordered_set<MachineId>{one, two, one}.size() != 2) heddle::fail("hash");
      },
      few(1));
}

}  // namespace
