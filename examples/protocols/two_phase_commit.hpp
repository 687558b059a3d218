// Two-phase commit: a write happens at all replicas or at none. Gray, "Notes on data base operating systems", 1978.
//
// The coordinator asks all replicas to prepare a write, each votes, and the coordinator commits if all voted yes. A no,
// or a timer that runs out first, aborts the write. A replica that has voted yes keeps the value until it hears.
//
// Set-up: a coordinator with a timer, two replicas that vote as they like, two clients with two writes each. As in the
// P# paper (Deligiannis et al., "Asynchronous programming, analysis and testing with state machines", PLDI 2015).
//
// Promise: replicas that have carried out the same commit hold the same data.
// Bug: votes have no number. A yes to a write that was aborted meanwhile counts for the next one.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "heddle/actor.hpp"

namespace two_phase_commit {

using heddle::MachineId;

enum class Version { correct, late_votes_count };

struct Write {
  MachineId client;
  int value;
};
struct Done {};  // committed or aborted
struct Prepare {
  int number;
  int value;
};
struct Vote {
  int number;
  MachineId replica;
  bool yes;
};
struct Commit {
  int number;
};
struct Abort {};

struct Start {
  int number;
};
struct Timeout {
  int number;
};

struct CarriedOut {
  int number;
  int data;
};

class DataAgree : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<DataAgree>& is) {
    is.state<Watching>().start().on<CarriedOut>(&DataAgree::compare);
  }

 private:
  void compare(const CarriedOut& now) {
    const auto [known, is_first] = data_.emplace(now.number, now.data);
    require(is_first || known->second == now.data, "after the same commit two replicas hold different data");
  }
  std::map<int, int> data_;  // by commit
};

class Timer : public heddle::Machine {
 public:
  explicit Timer(MachineId owner) : owner_(owner) {}
  struct Idle;
  struct Running;
  static void declare(heddle::Declaration<Timer>& is) {
    is.state<Idle>().start().go_to<Running, Start>(&Timer::set);
    is.state<Running>().on<Start>(&Timer::set).on_idle(&Timer::run_out);
  }

 private:
  void set(const Start& start) { number_ = start.number; }
  void run_out() {
    send(owner_, Timeout{number_});
    go_to<Idle>();
  }
  MachineId owner_;
  int number_ = 0;
};

class Replica : public heddle::Machine {
 public:
  struct Ready;
  static void declare(heddle::Declaration<Replica>& is) {
    is.state<Ready>().start().on<Prepare>(&Replica::prepare).on<Commit>(&Replica::commit).on<Abort>(&Replica::abort);
  }
  explicit Replica(MachineId coordinator) : coordinator_(coordinator) {}

 private:
  static constexpr int kNothing = 0;

  void prepare(const Prepare& prepare) {
    const bool yes = choose_bool();
    if (yes) prepared_ = prepare.value;
    send(coordinator_, Vote{prepare.number, self(), yes});
  }
  void commit(const Commit& commit) {
    if (prepared_ != kNothing) data_ = prepared_;
    prepared_ = kNothing;
    tell<DataAgree>(CarriedOut{commit.number, data_});
  }
  void abort() { prepared_ = kNothing; }

  MachineId coordinator_;
  int prepared_ = kNothing;
  int data_ = kNothing;
};

class Client : public heddle::Machine {
 public:
  Client(MachineId coordinator, int first_value) : coordinator_(coordinator), value_(first_value) {}
  struct Writing;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Writing>().start().on_entry(&Client::write).on<Done>(&Client::go_on);
  }

 private:
  void write() { send(coordinator_, Write{self(), value_}); }
  void go_on() {
    if (--writes_left_ == 0) return halt();
    ++value_;
    write();
  }
  MachineId coordinator_;
  int value_;
  int writes_left_ = 2;
};

class Coordinator : public heddle::Machine {
 public:
  explicit Coordinator(Version version) : version_(version) {}
  struct Idle;
  struct Voting;
  static void declare(heddle::Declaration<Coordinator>& is) {
    is.state<Idle>()
        .start()
        .on_entry(&Coordinator::set_up)
        .ignore<Vote, Timeout>()
        .go_to<Voting, Write>(&Coordinator::ask);
    is.state<Voting>().defer<Write>().on<Vote>(&Coordinator::count).on<Timeout>(&Coordinator::give_up);
  }

 private:
  void set_up() {
    if (timer_) return;
    timer_ = create<Timer>(self());
    for (int i = 0; i < 2; ++i) replicas_.push_back(create<Replica>(self()));
    for (const int first_value : {10, 20}) create<Client>(self(), first_value);
  }

  void ask(const Write& write) {
    client_ = write.client;
    ++number_;
    yes_.clear();
    for (const MachineId replica : replicas_) send(replica, Prepare{number_, write.value});
    send(timer_, Start{number_});
  }

  void count(const Vote& vote) {
    if (version_ == Version::correct && vote.number != number_) return;
    if (!vote.yes) return abort();
    yes_.insert(vote.replica);
    if (yes_.size() < replicas_.size()) return;
    for (const MachineId replica : replicas_) send(replica, Commit{number_});
    finish();
  }

  void give_up(const Timeout& timeout) {
    if (timeout.number == number_) abort();
  }

  void abort() {
    for (const MachineId replica : replicas_) send(replica, Abort{});
    finish();
  }

  void finish() {
    send(client_, Done{});
    go_to<Idle>();
  }

  Version version_;
  MachineId timer_;
  std::vector<MachineId> replicas_;
  MachineId client_;  // of the write that is voted on
  int number_ = 0;    // of that write
  std::set<MachineId> yes_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<DataAgree>();
  runtime.create<Coordinator>(version);
}

}  // namespace two_phase_commit
