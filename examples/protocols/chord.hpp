// Chord: a distributed hash table. Stoica, Morris, Karger, Kaashoek and Balakrishnan, SIGCOMM 2001.
//
// Identifiers form a ring; a key lives at the first node at or after it. Each node has a table of fingers: who is
// responsible for the identifier 1, 2, 4, 8 ... after its own. A node that does not hold a key passes the look-up on to
// the last finger that does not go beyond the key.
//
// Set-up: nodes 0, 1, 3, 5 and 7 with 36 keys, a manager who knows a node, and a client who looks up one key. The
// client goes round its list and tosses a coin at each key until it takes one. After Mukherjee et al. ("Learning-based
// controlled concurrency testing", OOPSLA 2020); differs in that a look-up that has been at every node is given up, so
// that the execution ends and the answer is owed.
//
// Promise: every look-up is answered.
// Bug: the last key of the client's list is held by no node. Only a client that comes to the end of its list, 36 coins
// one after the other, can find that out.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "heddle/actor.hpp"

namespace chord {

using heddle::MachineId;

enum class Version { correct, one_key_is_lost };

inline constexpr int kIdentifiers = 256;
inline constexpr int kLostKey = 17;

struct Peer {
  int id;
  MachineId machine;
};

struct Configure {
  std::vector<Peer> ring;  // in the order of their identifiers
  std::set<int> keys;
};
struct LookUp {
  MachineId client;
  int key;
  int nodes_left;  // that may still have it
};
struct Found {
  int node;
};

struct Asked {};
struct Answered {};

class EveryLookUpIsAnswered : public heddle::Monitor {
 public:
  struct Quiet;
  struct Waiting;
  static void declare(heddle::MonitorDeclaration<EveryLookUpIsAnswered>& is) {
    is.state<Quiet>().start().cold().go_to<Waiting, Asked>();
    is.state<Waiting>().hot().go_to<Quiet, Answered>();
  }
};

/// The node of the ring that is responsible for an identifier.
inline const Peer& responsible(const std::vector<Peer>& ring, int id) {
  for (const Peer& peer : ring)
    if (peer.id >= id % kIdentifiers) return peer;
  return ring.front();
}

class Node : public heddle::Machine {
 public:
  explicit Node(int id) : id_(id) {}
  struct Alone;
  struct Joined;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Alone>().start().defer<LookUp>().go_to<Joined, Configure>(&Node::join);
    is.state<Joined>().on<LookUp>(&Node::look_up);
  }

 private:
  void join(Configure&& configure) {
    keys_ = std::move(configure.keys);
    for (int distance = 1; distance < kIdentifiers; distance *= 2)
      fingers_.push_back(responsible(configure.ring, id_ + distance));
  }

  void look_up(LookUp&& query) {
    if (keys_.contains(query.key)) return send(query.client, Found{id_});
    if (--query.nodes_left > 0) send(next_towards(query.key), std::move(query));
  }

  MachineId next_towards(int key) const {
    const auto after = [&](int id) { return (id - id_ + kIdentifiers) % kIdentifiers; };
    const Peer* next = &fingers_.front();  // the successor
    for (const Peer& finger : fingers_)
      if (after(finger.id) > after(next->id) && after(finger.id) <= after(key)) next = &finger;
    return next->machine;
  }

  int id_;
  std::set<int> keys_;
  std::vector<Peer> fingers_;
};

class Client : public heddle::Machine {
 public:
  Client(MachineId manager, std::vector<int> keys) : manager_(manager), keys_(std::move(keys)) {}
  struct Asking;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Asking>().start().on_entry(&Client::ask).on<Found>(&Client::be_content);
  }

 private:
  void ask() {
    std::size_t at = 0;
    while (!choose_bool()) at = (at + 1) % keys_.size();
    tell<EveryLookUpIsAnswered>(Asked{});
    send(manager_, LookUp{self(), keys_[at], 0});
  }
  void be_content() { tell<EveryLookUpIsAnswered>(Answered{}); }

  MachineId manager_;
  std::vector<int> keys_;
};

class Manager : public heddle::Machine {
 public:
  explicit Manager(Version version) : version_(version) {}
  struct Managing;
  static void declare(heddle::Declaration<Manager>& is) {
    is.state<Managing>().start().on_entry(&Manager::set_up).on<LookUp>(&Manager::pass_on);
  }

 private:
  void set_up() {
    std::vector<int> keys = {1,   2,   4,   6,   9,   11,  13,  22,  27,  29,  33,  38,  45,  53,  67,  72,  81,  95,
                             101, 102, 104, 106, 109, 111, 113, 122, 127, 129, 133, 138, 145, 153, 167, 172, 181, 195};
    for (const int id : {0, 1, 3, 5, 7}) ring_.push_back({id, create<Node>(id)});
    for (const Peer& peer : ring_) {
      Configure configure{ring_, {}};
      for (const int key : keys)
        if (responsible(ring_, key).id == peer.id) configure.keys.insert(key);
      send(peer.machine, std::move(configure));
    }
    if (version_ == Version::one_key_is_lost) keys.push_back(kLostKey);
    create<Client>(self(), std::move(keys));
  }

  void pass_on(LookUp&& query) {
    query.nodes_left = static_cast<int>(ring_.size());
    send(ring_.front().machine, std::move(query));
  }

  Version version_;
  std::vector<Peer> ring_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<EveryLookUpIsAnswered>();
  runtime.create<Manager>(version);
}

}  // namespace chord
