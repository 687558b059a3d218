// Faults of the surroundings: every one that is allowed is met, no other, and none in the first schedule.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "heddle/actor.hpp"
#include "heddle/heddle.hpp"

namespace {

using heddle::MachineId;
using heddle::Network;

heddle::Options all_of_them() {
  heddle::Options options;
  options.strategy = "dfs";
  options.executions = 100'000;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

struct Item {
  char name;
};

class Sink : public heddle::Machine {
 public:
  explicit Sink(std::string& got) : got_(got) {}
  struct Open;
  static void declare(heddle::Declaration<Sink>& is) { is.state<Open>().start().on<Item>(&Sink::take); }

 private:
  void take(const Item& item) { got_ += item.name; }
  std::string& got_;
};

/// What can arrive when a, b and c are sent through a network with such faults.
std::set<std::string> arrivals(Network::Faults faults) {
  std::set<std::string> seen;
  const heddle::Result result = heddle::explore(
      [&] {
        std::string got;
        {
          heddle::Runtime runtime;
          const MachineId sink = runtime.create<Sink>(got);
          const MachineId network = runtime.create<Network>(faults);
          for (const char name : {'a', 'b', 'c'}) runtime.send(network, Network::packet(sink, Item{name}));
        }
        seen.insert(got);
      },
      all_of_them());
  EXPECT_TRUE(result.complete);
  return seen;
}

TEST(Network, WithoutFaultsKeepsEverythingInItsOrder) { EXPECT_EQ(arrivals({}), std::set<std::string>{"abc"}); }

TEST(Network, LosesAnyButNotMoreThanAllowed) {
  EXPECT_EQ(arrivals({.loses = true, .at_most = 1}), (std::set<std::string>{"abc", "ab", "ac", "bc"}));
  EXPECT_EQ(arrivals({.loses = true, .at_most = 3}).size(), 8u);
}

TEST(Network, DuplicatesAny) {
  const std::set<std::string> seen = arrivals({.duplicates = true, .at_most = 1});
  EXPECT_EQ(seen, (std::set<std::string>{"abc", "aabc", "abbc", "abcc"}));
}

TEST(Network, ReordersWhatIsUnderWay) {
  const std::set<std::string> seen = arrivals({.reorders = true, .delays = true});
  std::string order = "abc";
  std::set<std::string> all;
  do all.insert(order);
  while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(seen, all);
}

class Node : public heddle::Machine {
 public:
  Node(std::string& life, char name) : life_(life), name_(name) {}
  struct Up;
  struct Down;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Up>().start().go_to<Down, heddle::Crash>(&Node::note);
    is.state<Down>().go_to<Up, heddle::Restart>(&Node::note).ignore<heddle::Crash>();
  }

 private:
  void note() { life_ += name_; }
  std::string& life_;
  char name_;
};

std::set<std::string> lives(heddle::Nemesis::Faults faults) {
  std::set<std::string> seen;
  heddle::explore(
      [&] {
        std::string life;
        {
          heddle::Runtime runtime;
          const std::vector<MachineId> nodes = {runtime.create<Node>(life, 'a'), runtime.create<Node>(life, 'b')};
          runtime.create<heddle::Nemesis>(nodes, faults);
        }
        seen.insert(life);
      },
      all_of_them());
  return seen;
}

TEST(Nemesis, StrikesAnyNodeAtMostSoOften) {
  EXPECT_EQ(lives({.at_most = 1, .restarts = false}), (std::set<std::string>{"", "a", "b"}));
  EXPECT_EQ(lives({.at_most = 2, .restarts = false}), (std::set<std::string>{"", "a", "b", "ab", "ba"}));
  EXPECT_EQ(lives({.at_most = 1, .restarts = true}), (std::set<std::string>{"", "aa", "bb"}));
}

using Disk = heddle::Storage<int, int>;

/// Writes two values, syncs between them, and crashes: what is there afterwards?
class Writer : public heddle::Machine {
 public:
  Writer(Disk::Faults faults, std::set<std::string>& seen) : disk_(faults), seen_(seen) {}
  struct Once;
  static void declare(heddle::Declaration<Writer>& is) { is.state<Once>().start().on_entry(&Writer::go); }

 private:
  void go() {
    const bool first = disk_.write(*this, 1, 10);
    const bool synced = disk_.sync(*this);
    const bool second = disk_.write(*this, 2, 20) && disk_.write(*this, 3, 30);
    if (second) require(disk_.read(3) == 30, "a node does not see its own write");
    disk_.crash(*this);
    std::string text;
    for (const int key : {1, 2, 3}) text += disk_.read(key) ? '1' : '0';
    if (first && synced) require(disk_.read(1) == 10, "what was synced is gone");
    seen_.insert(text);
  }
  Disk disk_;
  std::set<std::string>& seen_;
};

std::set<std::string> left_behind(Disk::Faults faults) {
  std::set<std::string> seen;
  heddle::explore(
      [&] {
        heddle::Runtime runtime;
        runtime.create<Writer>(faults, seen);
      },
      all_of_them());
  return seen;
}

TEST(Storage, KeepsWhatWasSynced) { EXPECT_EQ(left_behind({}), std::set<std::string>{"100"}); }

TEST(Storage, TearsInTheOrderOfTheWrites) {
  EXPECT_EQ(left_behind({.tears = true}), (std::set<std::string>{"100", "110", "111"}));
}

TEST(Storage, WritesAndSyncsMayFail) {
  EXPECT_EQ(left_behind({.writes_fail = true}), (std::set<std::string>{"000", "100"}));
  EXPECT_EQ(left_behind({.syncs_fail = true}), (std::set<std::string>{"000", "100"}));
}

}  // namespace
