// Chain replication: servers in a row hold the same data. Van Renesse and Schneider, OSDI 2004.
//
// Clients send updates to the head. Each server numbers or takes over the number, adds the update to its history and
// passes it on; the tail answers the client, and its acknowledgement goes back along the chain. A server keeps what it
// has passed on until it is acknowledged. When one fails, a master closes the gap: the server behind says how far it
// has come, and the one before sends again what is missing there.
//
// Set-up: three servers, a master, two clients with two updates each, and a failure detector that halts any one server
// and reports it. As in the P# paper (Deligiannis et al., PLDI 2015).
//
// Promise: every server takes the updates in the order of their numbers, without a gap.
// Bug: a server that gets a new successor does not send again. (The published one binds the event of the repair to the
// wrong action, so that the server is never told; then nothing goes on, and no order is broken.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "heddle/actor.hpp"

namespace chain_replication {

using heddle::MachineId;

enum class Version { correct, sends_nothing_again };

struct Update {
  MachineId client;
  int request;
};
struct Done {
  int request;
};
struct Forward {
  int number;
  Update update;
};
struct Acknowledge {
  int number;  // and all before
};

struct Place {  // in the chain
  MachineId before, behind;
};
struct NewBefore {
  MachineId before;  // nobody: it is the head now
};
struct HowFar {
  MachineId behind;
  int number;  // of the last update there
};
struct NewBehind {
  MachineId behind;  // nobody: it is the tail now
  int has;           // the number of the last update there
};
struct NewHead {
  MachineId head;
};
struct Fail {};
struct Failed {
  MachineId server;
};

struct Taken {
  MachineId server;
  int number;
};

class InOrder : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<InOrder>& is) {
    is.state<Watching>().start().on<Taken>(&InOrder::taken);
  }

 private:
  void taken(const Taken& now) { require(now.number == ++last_[now.server], "a server skips an update"); }
  std::map<MachineId, int> last_;
};

class Server : public heddle::Machine {
 public:
  Server(MachineId master, Version version) : master_(master), version_(version) {}
  struct Starting;
  struct Running;
  static void declare(heddle::Declaration<Server>& is) {
    is.state<Starting>().start().defer<Update, Forward, Fail>().go_to<Running, Place>(&Server::take_place);
    is.state<Running>()
        .on<Update>(&Server::number)
        .on<Forward>(&Server::take)
        .on<Acknowledge>(&Server::forget)
        .on<NewBefore>(&Server::meet_new_before)
        .on<NewBehind>(&Server::meet_new_behind)
        .on<Fail>(&Server::fail);
  }

 private:
  void take_place(const Place& place) {
    before_ = place.before;
    behind_ = place.behind;
  }

  void number(const Update& update) { take({last_ + 1, update}); }

  void take(const Forward& forward) {
    if (forward.number <= last_) return;  // sent again
    last_ = forward.number;
    tell<InOrder>(Taken{self(), last_});
    if (behind_) {
      passed_on_.push_back(forward);
      send(behind_, forward);
    } else {
      finish(forward);
    }
  }

  void finish(const Forward& forward) {
    send(forward.update.client, Done{forward.update.request});
    if (before_) send(before_, Acknowledge{forward.number});
  }

  void forget(const Acknowledge& acknowledge) {
    std::erase_if(passed_on_, [&](const Forward& each) { return each.number <= acknowledge.number; });
    if (before_) send(before_, acknowledge);
  }

  void meet_new_before(const NewBefore& now) {
    before_ = now.before;
    if (before_) send(master_, HowFar{self(), last_});
  }

  void meet_new_behind(const NewBehind& now) {
    behind_ = now.behind;
    if (version_ == Version::sends_nothing_again && behind_) return;
    for (const Forward& forward : std::vector(passed_on_)) {
      if (!behind_)
        finish(forward);
      else if (forward.number > now.has)
        send(behind_, forward);
    }
    if (!behind_) passed_on_.clear();
  }

  void fail() { halt(); }

  MachineId master_;
  Version version_;
  MachineId before_, behind_;
  int last_ = 0;
  std::vector<Forward> passed_on_;  // and not acknowledged
};

class Client : public heddle::Machine {
 public:
  explicit Client(MachineId head) : head_(head) {}
  struct Asking;
  struct Finished;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Asking>().start().on_entry(&Client::ask).on<Done>(&Client::go_on).on<NewHead>(&Client::ask_again);
    is.state<Finished>().ignore<Done, NewHead>();
  }

 private:
  void ask() { send(head_, Update{self(), request_}); }
  void ask_again(const NewHead& now) {
    head_ = now.head;
    ask();
  }
  void go_on(const Done& done) {
    constexpr int kRequests = 2;
    if (done.request != request_) return;  // answered twice
    if (request_++ < kRequests)
      go_to<Asking>();
    else
      go_to<Finished>();
  }
  MachineId head_;
  int request_ = 1;
};

class FailureDetector : public heddle::Machine {
 public:
  FailureDetector(MachineId master, std::vector<MachineId> servers) : master_(master), servers_(std::move(servers)) {}
  struct Only;
  static void declare(heddle::Declaration<FailureDetector>& is) {
    is.state<Only>().start().on_entry(&FailureDetector::run);
  }

 private:
  void run() {
    const MachineId server = choose_of(servers_);
    send(server, Fail{});
    send(master_, Failed{server});
  }
  MachineId master_;
  std::vector<MachineId> servers_;
};

class Master : public heddle::Machine {
 public:
  explicit Master(Version version) : version_(version) {}
  struct Watching;
  static void declare(heddle::Declaration<Master>& is) {
    is.state<Watching>().start().on_entry(&Master::set_up).on<Failed>(&Master::repair).on<HowFar>(&Master::close_gap);
  }

 private:
  void set_up() {
    constexpr std::size_t kServers = 3, kClients = 2;
    for (std::size_t i = 0; i < kServers; ++i) chain_.push_back(create<Server>(self(), version_));
    for (std::size_t i = 0; i < kServers; ++i)
      send(chain_[i], Place{i > 0 ? chain_[i - 1] : MachineId(), i + 1 < kServers ? chain_[i + 1] : MachineId()});
    for (std::size_t i = 0; i < kClients; ++i) clients_.push_back(create<Client>(chain_.front()));
    create<FailureDetector>(self(), chain_);
  }

  void repair(const Failed& failed) {
    const auto gap = chain_.erase(std::ranges::find(chain_, failed.server));
    if (gap == chain_.begin()) {
      send(*gap, NewBefore{});
      for (const MachineId client : clients_) send(client, NewHead{*gap});
    } else if (gap == chain_.end()) {
      send(chain_.back(), NewBehind{{}, 0});
    } else {
      send(*gap, NewBefore{*(gap - 1)});
    }
  }

  void close_gap(const HowFar& how_far) {
    const auto behind = std::ranges::find(chain_, how_far.behind);
    send(*(behind - 1), NewBehind{how_far.behind, how_far.number});
  }

  Version version_;
  std::vector<MachineId> chain_;
  std::vector<MachineId> clients_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<InOrder>();
  runtime.create<Master>(version);
}

}  // namespace chain_replication
