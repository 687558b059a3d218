// Leader election in a ring. Chang and Roberts, "An improved algorithm for decentralized extrema-finding", 1979.
//
// Each node sends its number to the right. A node passes on the numbers that are higher than its own and drops the
// others; the one whose own number comes back to it is the leader.
//
// Set-up: a ring of four nodes, all of which begin at some time of their own. The published programs do not say more
// than the name; this is its common form.
//
// Promise: one leader is elected, and no second one.
// Bug: a node that has not begun when a number comes passes it on, whatever it is, since it takes no part yet; but then
// it begins all the same. Its own number may go round behind a lower one, and both come home.
#pragma once

#include <cstddef>
#include <vector>

#include "heddle/actor.hpp"

namespace leader_election {

using heddle::MachineId;

enum class Version { correct, late_nodes_pass_all };

struct Configure {
  MachineId right;
};
struct Begin {};
struct Number {
  int number;
};

struct Elected {};

class OneLeader : public heddle::Monitor {
 public:
  struct Electing;
  struct Settled;
  static void declare(heddle::MonitorDeclaration<OneLeader>& is) {
    is.state<Electing>().start().hot().go_to<Settled, Elected>();
    is.state<Settled>().cold().on<Elected>(&OneLeader::second);
  }

 private:
  void second() { require(false, "two nodes are leaders"); }
};

class Node : public heddle::Machine {
 public:
  Node(int number, Version version) : number_(number), version_(version) {}
  struct Unconfigured;
  struct Asleep;
  struct Awake;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Unconfigured>().start().defer<Begin, Number>().go_to<Asleep, Configure>(&Node::configure);
    is.state<Asleep>().go_to<Awake, Begin>(&Node::begin).on<Number>(&Node::wake);
    is.state<Awake>().ignore<Begin>().on<Number>(&Node::judge);
  }

 private:
  void configure(const Configure& configure) { right_ = configure.right; }
  void begin() { send(right_, Number{number_}); }

  void wake(const Number& other) {
    if (version_ == Version::late_nodes_pass_all) return send(right_, other);
    begin();
    judge(other);
    go_to<Awake>();
  }

  void judge(const Number& other) {
    if (other.number > number_) send(right_, other);
    if (other.number == number_) tell<OneLeader>(Elected{});
  }

  int number_;
  Version version_;
  MachineId right_;
};

class Environment : public heddle::Machine {
 public:
  explicit Environment(Version version) : version_(version) {}
  struct Only;
  static void declare(heddle::Declaration<Environment>& is) { is.state<Only>().start().on_entry(&Environment::run); }

 private:
  void run() {
    std::vector<MachineId> nodes;
    for (const int number : {3, 1, 4, 2}) nodes.push_back(create<Node>(number, version_));
    for (std::size_t i = 0; i < nodes.size(); ++i) send(nodes[i], Configure{nodes[(i + 1) % nodes.size()]});
    for (const MachineId node : nodes) send(node, Begin{});
  }
  Version version_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<OneLeader>();
  runtime.create<Environment>(version);
}

}  // namespace leader_election
