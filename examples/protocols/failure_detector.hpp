// A failure detector: who of the nodes is still alive?
//
// The detector works in rounds. In a round it pings every node that it believes alive, twice at most, and waits for the
// answers until its timer runs out; a node that answered neither ping is down. Between rounds it rests. A timer that is
// cancelled may have run out already, so it says which of the two happened. The detector goes on for ever.
//
// Set-up: a manager, the detector, its timer and two nodes, which the manager halts at some point. After Mukherjee et
// al. ("Learning-based controlled concurrency testing", OOPSLA 2020), who bound an execution to 200 steps.
//
// Promise: no node is ever more than three pings behind. A round adds two, and ends well only when the node has
// answered one of them, so at most one is left over from before. Bug: the rounds have no number. A late answer to the
// second ping of a round counts for the next one, and the node falls behind by one more in every round.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "heddle/actor.hpp"

namespace failure_detector {

using heddle::MachineId;

enum class Version { correct, rounds_without_number };

struct Ping {
  MachineId from;
  int round;
};
struct Pong {
  MachineId node;
  int round;
};
struct Fail {};
struct Start {};
struct Timeout {};
struct Cancel {};
struct Cancelled {};
struct TooLate {};  // to cancel: the timeout has been sent or follows

struct Pinged {
  MachineId node;
};
struct Answered {
  MachineId node;
};

class FewPending : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<FewPending>& is) {
    is.state<Watching>().start().on<Pinged>(&FewPending::pinged).on<Answered>(&FewPending::answered);
  }

 private:
  void pinged(const Pinged& ping) { require(++pending_[ping.node] <= 3, "a node is more than three pings behind"); }
  void answered(const Answered& pong) { --pending_[pong.node]; }

  std::map<MachineId, int> pending_;
};

class Node : public heddle::Machine {
 public:
  struct Alive;
  static void declare(heddle::Declaration<Node>& is) {
    is.state<Alive>().start().on<Ping>(&Node::answer).on<Fail>(&Node::fail);
  }

 private:
  void answer(const Ping& ping) {
    tell<FewPending>(Answered{self()});
    send(ping.from, Pong{self(), ping.round});
  }
  void fail() { halt(); }
};

class Timer : public heddle::Machine {
 public:
  explicit Timer(MachineId owner) : owner_(owner) {}
  struct Idle;
  struct Running;
  static void declare(heddle::Declaration<Timer>& is) {
    is.state<Idle>().start().go_to<Running, Start>().on<Cancel>(&Timer::say_too_late);
    is.state<Running>().ignore<Start>().on_idle(&Timer::run_out).on<Cancel>(&Timer::cancel);
  }

 private:
  void say_too_late() { send(owner_, TooLate{}); }
  void run_out() {
    send(owner_, Timeout{});
    go_to<Idle>();
  }
  void cancel() {
    if (choose_bool()) {
      send(owner_, Cancelled{});
    } else {
      send(owner_, TooLate{});
      send(owner_, Timeout{});
    }
    go_to<Idle>();
  }

  MachineId owner_;
};

struct AllAnswered {};
struct RoundDone {};

class Detector : public heddle::Machine {
 public:
  Detector(std::vector<MachineId> nodes, Version version) : alive_(nodes.begin(), nodes.end()), version_(version) {}
  struct Asking;
  struct Cancelling;
  struct Resting;
  static void declare(heddle::Declaration<Detector>& is) {
    is.state<Asking>().start().on_entry(&Detector::ask).on<Pong>(&Detector::note).on<Timeout>(&Detector::ask_again);
    is.state<Asking>().push<Cancelling, AllAnswered>().go_to<Resting, RoundDone>();
    is.state<Cancelling>().defer<Pong, Timeout>().on<Cancelled>(&Detector::end_round).on<TooLate>(&Detector::go_back);
    is.state<Resting>().on_entry(&Detector::rest).ignore<Pong>().go_to<Asking, Timeout>();
  }

 private:
  void ask() {
    if (!timer_) timer_ = create<Timer>(self());
    for (const MachineId node : alive_) {
      if (answered_.contains(node)) continue;
      tell<FewPending>(Pinged{node});
      send(node, Ping{self(), round_});
    }
    send(timer_, Start{});
  }

  void note(const Pong& pong) {
    const bool is_late = version_ == Version::correct && pong.round != round_;
    if (is_late || !alive_.contains(pong.node)) return;
    answered_.insert(pong.node);
    if (answered_ != alive_) return;
    send(timer_, Cancel{});
    raise(AllAnswered{});
  }

  void ask_again() {
    constexpr int kAttempts = 2;
    if (++attempts_ < kAttempts && answered_ != alive_) return go_to<Asking>();
    alive_ = answered_;
    end_round();
  }

  void end_round() { raise(RoundDone{}); }
  void go_back() { pop(); }  // the timeout will end the round

  void rest() {
    ++round_;
    attempts_ = 0;
    answered_.clear();
    send(timer_, Start{});
  }

  std::set<MachineId> alive_;
  Version version_;
  MachineId timer_;
  std::set<MachineId> answered_;  // in this round
  int round_ = 1;
  int attempts_ = 0;
};

class Manager : public heddle::Machine {
 public:
  explicit Manager(Version version) : version_(version) {}
  struct Only;
  static void declare(heddle::Declaration<Manager>& is) { is.state<Only>().start().on_entry(&Manager::run); }

 private:
  void run() {
    const std::vector<MachineId> nodes = {create<Node>(), create<Node>()};
    create<Detector>(nodes, version_);
    for (const MachineId node : nodes) send(node, Fail{});
  }

  Version version_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<FewPending>();
  runtime.create<Manager>(version);
}

}  // namespace failure_detector
