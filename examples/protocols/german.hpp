// German's cache coherence protocol: one writer or many readers. S. German, tutorial at FMCAD 2004.
//
// A host knows who holds a cache line. Clients ask it for a shared or for the exclusive copy; before the host grants
// what does not go together with the copies that are out, it invalidates those and waits until they were given back.
//
// Set-up: a host, three clients, and a processor that makes four accesses through clients of its choice. As in the P#
// paper (Deligiannis et al., PLDI 2015).
//
// Promise: while one holds the exclusive copy, nobody else holds any.
// Bug: when a client that has a shared copy asks for the exclusive one, the host takes it for the only one who has.
#pragma once

#include <set>
#include <vector>

#include "heddle/actor.hpp"

namespace german {

using heddle::MachineId;

enum class Version { correct, upgrades_unasked };

struct Access {
  bool exclusive;
};
struct Ask {
  MachineId client;
  bool exclusive;
};
struct Grant {
  bool exclusive;
};
struct Invalidate {};
struct GivenBack {
  MachineId client;
};

struct Took {
  MachineId client;
  bool exclusive;
};
struct Dropped {
  MachineId client;
};

class Coherence : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<Coherence>& is) {
    is.state<Watching>().start().on<Took>(&Coherence::took).on<Dropped>(&Coherence::dropped);
  }

 private:
  void took(const Took& now) {
    holders_.insert(now.client);
    if (now.exclusive) owner_ = now.client;
    require(!owner_ || holders_.size() == 1, "a client holds the exclusive copy, and another holds one too");
  }
  void dropped(const Dropped& now) {
    holders_.erase(now.client);
    if (owner_ == now.client) owner_ = {};
  }
  std::set<MachineId> holders_;
  MachineId owner_;
};

class Client : public heddle::Machine {
 public:
  explicit Client(MachineId host) : host_(host) {}
  struct Invalid;
  struct Shared;
  struct Exclusive;
  struct Waiting;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Invalid>().start().on<Access>(&Client::ask);
    is.state<Shared>().on<Access>(&Client::ask_for_more).go_to<Invalid, Invalidate>(&Client::give_back);
    is.state<Exclusive>().ignore<Access>().go_to<Invalid, Invalidate>(&Client::give_back);
    is.state<Waiting>().defer<Access>().on<Invalidate>(&Client::give_back).on<Grant>(&Client::take);
  }

 private:
  void ask(const Access& access) {
    send(host_, Ask{self(), access.exclusive});
    go_to<Waiting>();
  }
  void ask_for_more(const Access& access) {
    if (access.exclusive) ask(access);
  }
  void take(const Grant& grant) {
    tell<Coherence>(Took{self(), grant.exclusive});
    if (grant.exclusive)
      go_to<Exclusive>();
    else
      go_to<Shared>();
  }
  void give_back() {
    tell<Coherence>(Dropped{self()});
    send(host_, GivenBack{self()});
  }
  MachineId host_;
};

class Host : public heddle::Machine {
 public:
  explicit Host(Version version) : version_(version) {}
  struct Free;
  struct Collecting;
  static void declare(heddle::Declaration<Host>& is) {
    is.state<Free>().start().on<Ask>(&Host::serve);
    is.state<Collecting>().defer<Ask>().on<GivenBack>(&Host::collect);
  }

 private:
  void serve(const Ask& ask) {
    asked_ = ask;
    if (!ask.exclusive && !has_owner_) return grant();
    if (version_ == Version::upgrades_unasked && holders_.contains(ask.client)) return grant();
    holders_.erase(ask.client);
    for (const MachineId holder : holders_) send(holder, Invalidate{});
    if (holders_.empty()) return grant();
    go_to<Collecting>();
  }
  void collect(const GivenBack& back) {
    holders_.erase(back.client);
    if (!holders_.empty()) return;
    grant();
    go_to<Free>();
  }
  void grant() {
    has_owner_ = asked_.exclusive;
    holders_.insert(asked_.client);
    send(asked_.client, Grant{asked_.exclusive});
  }

  Version version_;
  std::set<MachineId> holders_;
  bool has_owner_ = false;  // one, who is the only holder
  Ask asked_{};             // what is being served
};

class Processor : public heddle::Machine {
 public:
  explicit Processor(Version version) : version_(version) {}
  struct Only;
  static void declare(heddle::Declaration<Processor>& is) { is.state<Only>().start().on_entry(&Processor::run); }

 private:
  void run() {
    constexpr int kClients = 3, kAccesses = 4;
    const MachineId host = create<Host>(version_);
    std::vector<MachineId> clients;
    for (int i = 0; i < kClients; ++i) clients.push_back(create<Client>(host));
    for (int i = 0; i < kAccesses; ++i) {
      const MachineId client = choose_of(clients);
      send(client, Access{choose_bool()});
    }
  }
  Version version_;
};

inline void run(Version version) {
  heddle::Runtime runtime;
  runtime.add_monitor<Coherence>();
  runtime.create<Processor>(version);
}

}  // namespace german
