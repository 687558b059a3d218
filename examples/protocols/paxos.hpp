// Paxos: several propose, and one value is agreed on. Lamport, "Paxos made simple", 2001.
//
// A proposer first asks the acceptors to promise that they accept nothing with a lower number. Once a majority has
// promised, it asks those who did to accept a value: that of the proposal with the highest number that any of them has
// accepted before, or its own if none has. A value that a majority has accepted is learned.
//
// Set-up: three proposers of the values 1 to 3, five acceptors of which up to two are halted, one learner. After
// Mukherjee et al. ("Learning-based controlled concurrency testing", OOPSLA 2020). An acceptor accepts only the
// proposal that it promised last, and a proposer tries once.
//
// Promise: no two values are learned.
// Bug: the proposer takes the value with the lowest number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "heddle/actor.hpp"

namespace paxos {

using heddle::MachineId;

enum class Version { correct, takes_the_lowest };

struct Accepted {
  int number = 0;  // of the proposal; 0: none
  int value = 0;
};

struct Prepare {
  MachineId proposer;
  int number;
};
struct Promise {
  MachineId acceptor;
  Accepted before;
};
struct Accept {
  Accepted proposal;
};
struct Announce {
  MachineId acceptor;
  Accepted proposal;
};
struct Fail {};

struct Learned {
  int value;
};

class OneValue : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<OneValue>& is) {
    is.state<Watching>().start().on<Learned>(&OneValue::learned);
  }

 private:
  void learned(const Learned& now) {
    require(value_ == 0 || value_ == now.value, "two values were learned");
    value_ = now.value;
  }
  int value_ = 0;
};

class Learner : public heddle::Machine {
 public:
  explicit Learner(std::size_t acceptors) : acceptors_(acceptors) {}
  struct Listening;
  static void declare(heddle::Declaration<Learner>& is) {
    is.state<Listening>().start().on<Announce>(&Learner::listen);
  }

 private:
  void listen(const Announce& announce) {
    const int number = announce.proposal.number;
    accepted_[announce.acceptor] = number;
    const auto same = std::ranges::count_if(accepted_, [&](const auto& each) { return each.second == number; });
    if (2 * static_cast<std::size_t>(same) <= acceptors_) return;
    value_ = announce.proposal.value;
    tell<OneValue>(Learned{value_});
  }

  std::size_t acceptors_;
  std::map<MachineId, int> accepted_;  // the number that each accepted last
  int value_ = 0;
};

class Acceptor : public heddle::Machine {
 public:
  explicit Acceptor(MachineId learner) : learner_(learner) {}
  struct Ready;
  static void declare(heddle::Declaration<Acceptor>& is) {
    is.state<Ready>().start().on<Prepare>(&Acceptor::promise).on<Accept>(&Acceptor::accept).on<Fail>(&Acceptor::fail);
  }

 private:
  void promise(const Prepare& prepare) {
    if (prepare.number <= promised_) return;
    promised_ = prepare.number;
    send(prepare.proposer, Promise{self(), last_});
  }
  void accept(const Accept& accept) {
    if (accept.proposal.number != promised_) return;
    last_ = accept.proposal;
    send(learner_, Announce{self(), last_});
  }
  void fail() { halt(); }

  MachineId learner_;
  int promised_ = 0;
  Accepted last_;
};

struct Propose {};

class Proposer : public heddle::Machine {
 public:
  Proposer(std::vector<MachineId> acceptors, int number, Version version)
      : acceptors_(std::move(acceptors)), proposal_{number, number}, version_(version) {}
  struct Ready;
  struct Asking;
  struct Chosen;
  static void declare(heddle::Declaration<Proposer>& is) {
    is.state<Ready>().start().on<Propose>(&Proposer::prepare);
    is.state<Asking>().on<Promise>(&Proposer::count);
    is.state<Chosen>().on<Promise>(&Proposer::ask_one_more);
  }

 private:
  void prepare() {
    for (const MachineId acceptor : acceptors_) send(acceptor, Prepare{self(), proposal_.number});
    go_to<Asking>();
  }

  void count(const Promise& promise) {
    promises_.push_back(promise);
    if (2 * promises_.size() <= acceptors_.size()) return;
    choose_value();
    for (const Promise& each : promises_) send(each.acceptor, Accept{proposal_});
    go_to<Chosen>();
  }

  void choose_value() {
    Accepted taken;
    for (const Promise& promise : promises_) {
      const Accepted& other = promise.before;
      if (other.number == 0) continue;
      const bool is_better = version_ == Version::correct ? other.number > taken.number : other.number < taken.number;
      if (taken.number == 0 || is_better) taken = other;
    }
    if (taken.number != 0) proposal_.value = taken.value;
  }

  void ask_one_more(const Promise& promise) { send(promise.acceptor, Accept{proposal_}); }

  std::vector<MachineId> acceptors_;
  Accepted proposal_;
  Version version_;
  std::vector<Promise> promises_;
};

class Manager : public heddle::Machine {
 public:
  explicit Manager(Version version) : version_(version) {}
  struct Only;
  static void declare(heddle::Declaration<Manager>& is) { is.state<Only>().start().on_entry(&Manager::run); }

 private:
  void run() {
    constexpr int kProposers = 3;
    constexpr std::size_t kAcceptors = 5;
    const MachineId learner = create<Learner>(kAcceptors);
    std::vector<MachineId> acceptors, proposers;
    for (std::size_t i = 0; i < kAcceptors; ++i) acceptors.push_back(create<Acceptor>(learner));
    for (int i = 1; i <= kProposers; ++i) proposers.push_back(create<Proposer>(acceptors, i, version_));
    for (const MachineId proposer : proposers) send(proposer, Propose{});
    int failures_left = 2;
    for (const MachineId acceptor : acceptors)
      if (choose_bool() && failures_left-- > 0) send(acceptor, Fail{});
  }

  Version version_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<OneValue>();
  runtime.create<Manager>(version);
}

}  // namespace paxos
