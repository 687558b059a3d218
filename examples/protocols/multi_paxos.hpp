// Multi-Paxos: a sequence of values, each agreed on by Paxos. Lamport, "Paxos made simple", 2001.
//
// A node that has got a value from a client proposes it for the first slot that it believes free: it asks all for a
// promise in that slot, takes the value with the highest number that any of a majority has accepted there, or its own,
// and asks all to accept it. If that was another's value, it tries its own again in the next slot.
//
// Set-up: three nodes, each of which proposes, accepts and learns; two clients with a value each, at different nodes.
// As in the P# paper (Deligiannis et al., PLDI 2015). Numbers of proposals are those of the nodes: one round a slot.
//
// Promise: what is chosen for a slot was proposed by a client, and no two values are chosen for it.
// Bug: the node proposes its own value, whatever the others have accepted.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "heddle/actor.hpp"

namespace multi_paxos {

using heddle::MachineId;

enum class Version { correct, insists_on_its_own };

inline constexpr std::size_t kMajority = 2;  // of three

struct Accepted {
  int number = 0;  // of the proposal; 0: none
  int value = 0;
};

struct Configure {
  std::vector<MachineId> nodes;
};
struct Put {
  int value;
};
struct Prepare {
  MachineId proposer;
  int slot;
  int number;
};
struct Promise {
  int slot;
  Accepted before;
};
struct Accept {
  MachineId proposer;
  int slot;
  Accepted proposal;
};
struct Agreed {
  MachineId node;
  int slot;
  int number;
};

struct Proposed {
  int value;
};
struct Chosen {
  int slot;
  int value;
};

class OneValueASlot : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<OneValueASlot>& is) {
    is.state<Watching>().start().on<Proposed>(&OneValueASlot::proposed).on<Chosen>(&OneValueASlot::chosen);
  }

 private:
  void proposed(const Proposed& now) { proposed_.insert(now.value); }
  void chosen(const Chosen& now) {
    require(proposed_.contains(now.value), "a value was chosen that nobody proposed");
    const auto [known, is_first] = chosen_.emplace(now.slot, now.value);
    require(is_first || known->second == now.value, "two values were chosen for a slot");
  }
  std::set<int> proposed_;
  std::map<int, int> chosen_;  // by slot
};

class Node : public heddle::Machine {
 public:
  Node(int number, Version version) : number_(number), version_(version) {}
  struct Starting;
  struct Running;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Starting>().start().defer<Put, Prepare>().go_to<Running, Configure>(&Node::configure);
    is.state<Running>()
        .on<Put>(&Node::put)
        .on<Prepare>(&Node::promise)
        .on<Promise>(&Node::count_promise)
        .on<Accept>(&Node::accept)
        .on<Agreed>(&Node::count_agreed);
  }

 private:
  struct Slot {  // as an acceptor
    int promised = 0;
    Accepted last;
  };

  void configure(Configure&& configure) { nodes_ = std::move(configure.nodes); }

  // As a proposer.

  void put(const Put& put) {
    own_ = put.value;
    tell<OneValueASlot>(Proposed{own_});
    try_slot(1);
  }

  void try_slot(int slot) {
    slot_ = slot;
    promises_ = 0;
    highest_ = {};
    agreed_ = 0;
    for (const MachineId node : nodes_) send(node, Prepare{self(), slot_, number_});
  }

  void count_promise(const Promise& promise) {
    if (promise.slot != slot_ || ++promises_ > kMajority) return;
    if (promise.before.number > highest_.number) highest_ = promise.before;
    if (promises_ < kMajority) return;
    const bool is_free = highest_.number == 0 || version_ == Version::insists_on_its_own;
    proposal_ = {number_, is_free ? own_ : highest_.value};
    for (const MachineId node : nodes_) send(node, Accept{self(), slot_, proposal_});
  }

  void count_agreed(const Agreed& agreed) {
    if (agreed.slot != slot_ || ++agreed_ != kMajority) return;
    tell<OneValueASlot>(Chosen{slot_, proposal_.value});
    if (proposal_.value != own_) try_slot(slot_ + 1);
  }

  // As an acceptor.

  void promise(const Prepare& prepare) {
    Slot& slot = slots_[prepare.slot];
    if (prepare.number < slot.promised) return;
    slot.promised = prepare.number;
    send(prepare.proposer, Promise{prepare.slot, slot.last});
  }

  void accept(const Accept& accept) {
    Slot& slot = slots_[accept.slot];
    if (accept.proposal.number < slot.promised) return;
    slot.promised = accept.proposal.number;
    slot.last = accept.proposal;
    send(accept.proposer, Agreed{self(), accept.slot, accept.proposal.number});
  }

  int number_;
  Version version_;
  std::vector<MachineId> nodes_;
  std::map<int, Slot> slots_;

  int own_ = 0;  // value to be put
  int slot_ = 0;
  std::size_t promises_ = 0;
  Accepted highest_;  // of those that were accepted before, as the promises tell
  Accepted proposal_;
  std::size_t agreed_ = 0;
};

class Client : public heddle::Machine {
 public:
  Client(MachineId node, int value) : node_(node), value_(value) {}
  struct Only;
  static void declare(heddle::Declaration<Client>& is) { is.state<Only>().start().on_entry(&Client::put); }

 private:
  void put() {
    send(node_, Put{value_});
    halt();
  }
  MachineId node_;
  int value_;
};

class Environment : public heddle::Machine {
 public:
  explicit Environment(Version version) : version_(version) {}
  struct Only;
  static void declare(heddle::Declaration<Environment>& is) { is.state<Only>().start().on_entry(&Environment::run); }

 private:
  void run() {
    std::vector<MachineId> nodes;
    for (const int number : {1, 2, 3}) nodes.push_back(create<Node>(number, version_));
    for (const MachineId node : nodes) send(node, Configure{nodes});
    create<Client>(nodes[0], 10);
    create<Client>(nodes[1], 20);
  }
  Version version_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<OneValueASlot>();
  runtime.create<Environment>(version);
}

}  // namespace multi_paxos
