// Every mistake in a declaration is found when the machine is first used, and named.
#include <gtest/gtest.h>

#include <string>

#include "actor/table.hpp"
#include "heddle/actor.hpp"

namespace {

struct Go {};
struct Stop {};

/// The message, or nothing if the declaration is right.
template <typename M>
std::string mistake() {
  try {
    heddle::actor::table_of<M>();
  } catch (const heddle::ActorError& error) {
    return error.what();
  }
  return "";
}

struct Base : heddle::Machine {
  struct A;
  struct B;
  struct G;
  struct H;
  void act() {}
  void other() {}
  heddle::OnException judge(const std::exception&) { return heddle::OnException::halt; }
};

TEST(Declarations, need_a_state) {
  struct M : Base {
    static void declare(heddle::Declaration<M>&) {}
  };
  EXPECT_EQ(mistake<M>(), "heddle: M declares no state; say is.state<First>().start() in its declare()");
}

TEST(Declarations, need_a_start) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M has no start state; say .start() of one of its states");
}

TEST(Declarations, have_one_start) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.state<A>().start();
      is.state<B>().start();
    }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M has two start states, `A` and `B`; keep one");
}

TEST(Declarations, do_not_start_in_a_group) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.group<G>().start();
      is.state<A>();
    }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M starts in `G`, which is a group; name a state");
}

TEST(Declarations, handle_an_event_once) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().on<Go>(&M::act).go_to<A, Go>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A handles Go twice; keep one of the two lines");
}

TEST(Declarations, do_not_handle_and_defer) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().on<Go>(&M::act).defer<Stop, Go>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A defers Go and also handles it; keep one of the two lines");
}

TEST(Declarations, do_not_handle_and_ignore) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().ignore<Go>().push<A, Go>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A ignores Go and also handles it; keep one of the two lines");
}

TEST(Declarations, do_not_defer_and_ignore) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().ignore<Go>().defer<Go>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A defers Go and also ignores it; keep one of the two lines");
}

TEST(Declarations, do_not_defer_twice) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().defer<Go, Go>(); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A defers Go twice; keep one line");
}

TEST(Declarations, have_one_wildcard) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) { is.state<A>().start().on_any(&M::act).on_any(&M::other); }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M in state A handles any event twice; keep one of the two lines");
}

TEST(Declarations, have_one_entry_exit_and_idle_action) {
  struct Entry : Base {
    static void declare(heddle::Declaration<Entry>& is) {
      is.state<A>().start().on_entry(&Entry::act).on_entry(&Entry::other);
    }
  };
  struct Exit : Base {
    static void declare(heddle::Declaration<Exit>& is) {
      is.state<A>().start().on_exit(&Exit::act);
      is.state<A>().on_exit(&Exit::other);
    }
  };
  struct Idle : Base {
    static void declare(heddle::Declaration<Idle>& is) {
      is.state<A>().start().on_idle(&Idle::act).on_idle(&Idle::act);
    }
  };
  EXPECT_EQ(mistake<Entry>(), "heddle: Entry in state A has two entry actions; keep one");
  EXPECT_EQ(mistake<Exit>(), "heddle: Exit in state A has two exit actions; keep one");
  EXPECT_EQ(mistake<Idle>(), "heddle: Idle in state A has two idle actions; keep one");
}

TEST(Declarations, go_only_to_states_that_exist) {
  struct Goes : Base {
    static void declare(heddle::Declaration<Goes>& is) { is.state<A>().start().go_to<B, Go>(); }
  };
  struct Pushes : Base {
    static void declare(heddle::Declaration<Pushes>& is) { is.state<A>().start().push<B, Go>(); }
  };
  struct ToGroup : Base {
    static void declare(heddle::Declaration<ToGroup>& is) {
      is.group<G>().on<Go>(&ToGroup::act);
      is.state<A>().start().go_to<G, Stop>();
    }
  };
  EXPECT_EQ(mistake<Goes>(),
            "heddle: Goes in state A goes to `B` on Go, but that state is not declared; say is.state<B>()");
  EXPECT_EQ(mistake<Pushes>(),
            "heddle: Pushes in state A pushes `B` on Go, but that state is not declared; say is.state<B>()");
  EXPECT_EQ(mistake<ToGroup>(), "heddle: ToGroup in state A goes to `G` on Stop, but that is a group; name a state");
}

TEST(Declarations, extend_only_what_exists_and_not_themselves) {
  struct Missing : Base {
    static void declare(heddle::Declaration<Missing>& is) { is.state<A>().start().extends<B>(); }
  };
  struct Circle : Base {
    static void declare(heddle::Declaration<Circle>& is) {
      is.state<A>().start().extends<B>();
      is.state<B>().extends<A>();
    }
  };
  EXPECT_EQ(mistake<Missing>(), "heddle: Missing in state A extends `B`, which is not declared");
  EXPECT_EQ(mistake<Circle>(), "heddle: Circle has a state `A` that extends itself");
}

TEST(Declarations, do_not_inherit_two_lines_for_one_event) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.group<G>().on<Go>(&M::act);
      is.group<H>().on<Go>(&M::other);
      is.state<A>().start().in<G>().in<H>();
    }
  };
  EXPECT_EQ(mistake<M>(),
            "heddle: M in state A has a line for Go from `G` and one from `H`; say in the state itself which it is");
}

TEST(Declarations, may_have_a_line_twice_from_one_group) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.group<G>().on<Go>(&M::act);
      is.group<H>().in<G>();
      is.state<A>().start().in<G>().in<H>();
    }
  };
  EXPECT_EQ(mistake<M>(), "");
}

TEST(Declarations, do_not_call_one_tag_a_state_and_a_group) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.state<A>().start();
      is.group<A>();
    }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M declares `A` both as a state and as a group; keep one");
}

TEST(Declarations, have_one_handler_of_exceptions) {
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.state<A>().start();
      is.on_exception(&M::judge);
      is.on_exception(&M::judge);
    }
  };
  EXPECT_EQ(mistake<M>(), "heddle: M has two handlers of exceptions; keep one");
}

TEST(Declarations, of_a_derived_machine_win_over_those_of_its_base) {
  struct First : Base {
    static void declare(heddle::Declaration<First>& is) {
      is.state<A>().start().on<Go>(&First::act).on<Stop>(&First::act).on_entry(&First::act);
      is.state<B>();
    }
  };
  struct Second : First {
    static void declare(heddle::Declaration<Second>& is) {
      is.extends<First>();
      is.state<A>().ignore<Go>().on_entry(&Second::other);
      is.state<B>().start();
    }
  };
  ASSERT_EQ(mistake<Second>(), "");
  const heddle::actor::Table& table = heddle::actor::table_of<Second>();
  using heddle::actor::Does;
  const heddle::actor::StateIndex a = table.find(heddle::actor::type_info<Base::A>);
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Go>).does, Does::ignore);
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Stop>).does, Does::action);
  EXPECT_EQ(table.state_name(table.start()), "B");
}

TEST(Declarations, say_what_each_state_does_on_each_event) {
  struct Known {};
  struct Unknown {};
  struct M : Base {
    static void declare(heddle::Declaration<M>& is) {
      is.group<G>().on<Known>(&M::act).defer<Stop>();
      is.state<A>().start().in<G>().go_to<B, Go>().ignore<Stop>();
      is.state<B>().extends<A>().on_any(&M::other);
    }
  };
  using heddle::actor::Does;
  const heddle::actor::Table& table = heddle::actor::table_of<M>();
  const heddle::actor::StateIndex a = table.find(heddle::actor::type_info<Base::A>);
  const heddle::actor::StateIndex b = table.find(heddle::actor::type_info<Base::B>);
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Known>).does, Does::action);  // of the group
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Stop>).does, Does::ignore);   // its own wins
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Go>).does, Does::go_to);
  EXPECT_EQ(table.cell(a, heddle::actor::event_type<Unknown>).does, Does::nothing);
  EXPECT_EQ(table.cell(b, heddle::actor::event_type<Go>).does, Does::go_to);     // of the state it extends
  EXPECT_EQ(table.cell(b, heddle::actor::event_type<Stop>).does, Does::ignore);  // that wins over the wildcard
  EXPECT_EQ(table.cell(b, heddle::actor::event_type<Unknown>).does, Does::action);
  EXPECT_EQ(table.find(heddle::actor::type_info<Base::G>), heddle::actor::kNoState);
}

}  // namespace
