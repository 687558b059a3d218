// Machines inside heddle::explore, end to end.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "actors_support.hpp"

namespace {

using actors_support::few;
using heddle::MachineId;

struct Ping {
  MachineId from;
};
struct Pong {};

class Server : public heddle::Machine {
 public:
  struct Ready;
  static void declare(heddle::Declaration<Server>& is) { is.state<Ready>().start().on<Ping>(&Server::answer); }

 private:
  void answer(const Ping& ping) { send(ping.from, Pong{}); }
};

class Client : public heddle::Machine {
 public:
  Client(MachineId server, int rounds, int& pongs) : server_(server), rounds_(rounds), pongs_(pongs) {}
  struct Playing;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Playing>().start().on_entry(&Client::serve).on<Pong>(&Client::again);
  }

 private:
  void serve() { send(server_, Ping{self()}); }
  void again() {
    if (++pongs_ < rounds_)
      serve();
    else
      halt();
  }
  MachineId server_;
  int rounds_;
  int& pongs_;
};

TEST(Actors, ping_and_pong) {
  const heddle::Result result = heddle::explore(
      [] {
        int pongs = 0;
        {
          heddle::Runtime runtime;
          const MachineId server = runtime.create<Server>();
          runtime.create<Client>(server, 5, pongs);
        }
        if (pongs != 5) heddle::fail("not all came back");
      },
      few());
  EXPECT_EQ(result.executions, 200u);
}

struct Open {};
struct Item {
  int value;
};

class Shop : public heddle::Machine {
 public:
  explicit Shop(std::vector<int>& sold) : sold_(sold) {}
  struct Closed;
  struct Opened;
  struct Break;
  struct Pause {};
  struct Back {};
  static void declare(heddle::Declaration<Shop>& is) {
    is.state<Closed>().start().defer<Item>().go_to<Opened, Open>();
    is.state<Opened>().on<Item>(&Shop::sell).push<Break, Pause>();
    is.state<Break>().on<Back>(&Shop::end_break);
  }

 private:
  void sell(Item&& item) { sold_.push_back(item.value); }
  void end_break() { pop(); }
  std::vector<int>& sold_;
};

TEST(Actors, defer_push_and_pop) {
  heddle::explore(
      [] {
        std::vector<int> sold;
        heddle::Runtime runtime;
        const MachineId shop = runtime.create<Shop>(sold);
        runtime.send(shop, Item{1});
        runtime.wait();
        if (!sold.empty()) heddle::fail("sold while closed");
        runtime.send(shop, Item{2});
        runtime.send(shop, Open{});
        runtime.send(shop, Shop::Pause{});
        runtime.send(shop, Item{3});  // the action of the state below holds
        runtime.send(shop, Shop::Back{});
        runtime.send(shop, Item{4});
        runtime.wait();
        if (sold != std::vector{1, 2, 3, 4}) heddle::fail("lost or reordered");
      },
      few());
}

class Asker : public heddle::Machine {
 public:
  Asker(MachineId server, int& got) : server_(server), got_(got) {}
  struct Asking;
  static void declare(heddle::Declaration<Asker>& is) {
    is.state<Asking>().start().on_entry(&Asker::ask).on<Item>(&Asker::count);
  }

 private:
  heddle::Task ask() {
    for (int i = 0; i < 3; ++i) {
      send(server_, Ping{self()});
      co_await receive<Pong>();
    }
    got_ += 100;
  }
  void count() { ++got_; }
  MachineId server_;
  int& got_;
};

TEST(Actors, a_task_receives_and_leaves_the_rest_in_the_inbox) {
  heddle::explore(
      [] {
        int got = 0;
        heddle::Runtime runtime;
        const MachineId server = runtime.create<Server>();
        const MachineId asker = runtime.create<Asker>(server, got);
        runtime.send(asker, Item{1});
        runtime.wait();
        if (got != 101) heddle::fail("got " + std::to_string(got));
      },
      few());
}

TEST(Actors, an_unhandled_event_is_a_verdict) {
  const heddle::Result result = heddle::try_explore(
      [] {
        heddle::Runtime runtime;
        const MachineId server = runtime.create<Server>();
        runtime.send(server, Pong{});
      },
      few());
  EXPECT_EQ(result.verdict, "unhandled-event");
  EXPECT_EQ(result.message, "Server(1) in state Ready gets Pong, which Ready neither handles, defers nor ignores");
  EXPECT_TRUE(result.reproduced);
  EXPECT_NE(result.report.find("first_test.cpp"), std::string::npos) << result.report;  // the user's lines,
  EXPECT_EQ(result.report.find("backend.cpp"), std::string::npos) << result.report;     // not heddle's
}

struct Took {
  int who;
};
struct Gave {
  int who;
};

class OneAtATime : public heddle::Monitor {
 public:
  struct Free;
  struct Taken;
  static void declare(heddle::MonitorDeclaration<OneAtATime>& is) {
    is.state<Free>().start().cold().on<Took>(&OneAtATime::take);
    is.state<Taken>().hot().go_to<Free, Gave>().on<Took>(&OneAtATime::take_again);
  }

 private:
  void take(const Took& took) {
    holder_ = took.who;
    go_to<Taken>();
  }
  void take_again(const Took& took) { require(took.who == holder_, "two hold it at once"); }
  int holder_ = 0;
};

struct Go {};

class Holder : public heddle::Machine {
 public:
  Holder(int who, bool gives_back) : who_(who), gives_back_(gives_back) {}
  struct Only;
  static void declare(heddle::Declaration<Holder>& is) {
    is.state<Only>().start().on_entry(&Holder::take).on<Go>(&Holder::give);
  }

 private:
  void take() {
    tell<OneAtATime>(Took{who_});
    send(self(), Go{});
  }
  void give() {
    if (gives_back_) tell<OneAtATime>(Gave{who_});
  }
  int who_;
  bool gives_back_;
};

TEST(Actors, a_monitor_catches_what_must_not_be) {
  const heddle::Result result = heddle::try_explore(
      [] {
        heddle::Runtime runtime;
        runtime.add_monitor<OneAtATime>();
        runtime.create<Holder>(1, true);
        runtime.create<Holder>(2, true);
      },
      few(1000));
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "OneAtATime in state Taken on Took: two hold it at once");
  EXPECT_TRUE(result.reproduced);
}

TEST(Actors, a_monitor_that_is_hot_at_the_end_is_a_verdict) {
  const heddle::Result result = heddle::try_explore(
      [] {
        heddle::Runtime runtime;
        runtime.add_monitor<OneAtATime>();
        runtime.create<Holder>(1, false);
      },
      few());
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "OneAtATime is hot in state Taken at the end");
}

struct Startless : heddle::Machine {
  struct Only;
  static void declare(heddle::Declaration<Startless>& is) { is.state<Only>(); }
};

TEST(Actors, without_a_start_state_are_reported_as_that) {
  const heddle::Result result = actors_support::verdict_of([] {
    heddle::Runtime runtime;
    runtime.create<Startless>();
  });
  EXPECT_EQ(result.verdict, "exception") << result.report;
  EXPECT_NE(result.message.find("has no start state"), std::string::npos) << result.message;
}

}  // namespace
