// Raft: a log that several servers keep in agreement. Ongaro and Ousterhout, USENIX ATC 2014.
//
// Time is cut into terms. A follower that hears nothing for long becomes a candidate of a new term and asks for votes;
// each server has one vote a term, and a candidate with a majority is the leader. The leader puts what clients ask for
// into its log and makes the others' logs equal to it; what a majority has is committed.
//
// Set-up: five servers, each with an election timer and a periodic timer that makes a candidate ask again, a client
// with one request, and a manager who passes it on and shuts the cluster down when it was answered. After Mukherjee et
// al. ("Learning-based controlled concurrency testing", OOPSLA 2020). An election timer tosses two coins at each tick:
// one advances it, and at the depth given (4 in their Raft-v1, 6 in Raft-v2) it fires; the other stops it.
//
// Promise: no term has two leaders.
// Bug: a follower that is asked twice answers twice, as it must, since answers get lost; and the candidate counts
// answers, not followers. It was found in Akka's Raft (github.com/ktoso/akka-raft, issue 45).
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "heddle/actor.hpp"

namespace raft {

using heddle::MachineId;

enum class Version { correct, counts_votes_twice };

inline constexpr std::size_t kServers = 5;
inline constexpr std::size_t kMajority = kServers / 2 + 1;

struct Entry {
  int term;
  int command;
};

// Between client and cluster.
struct Request {
  MachineId client;
  int command;
};
struct Response {};
struct ShutDown {};

// Between servers and manager.
struct Configure {
  std::vector<MachineId> servers;
};
struct LeaderIs {
  MachineId leader;
  int term;
};
struct Redirect {  // its server knows no leader
  Request request;
};

// Between servers.
struct RequestVote {
  int term;
  MachineId candidate;
  std::size_t last_index;
  int last_term;
};
struct Vote {
  int term;
  MachineId voter;
  bool granted;
};
struct AppendEntries {
  int term;
  MachineId leader;
  std::size_t previous_index;
  int previous_term;
  std::vector<Entry> entries;
  std::size_t committed;
  MachineId client;  // who waits for it
};
struct Appended {
  int term;
  MachineId server;
  bool matches;        // the logs up to there
  std::size_t length;  // of the log then
  MachineId client;
};

// Of timers.
struct Start {};
struct Tick {};
struct Stop {};
struct ElectionTimeout {};
struct PeriodicTimeout {};

struct LeaderElected {
  int term;
};

class OneLeaderATerm : public heddle::Monitor {
 public:
  struct Watching;
  static void declare(heddle::MonitorDeclaration<OneLeaderATerm>& is) {
    is.state<Watching>().start().on<LeaderElected>(&OneLeaderATerm::elected);
  }

 private:
  void elected(const LeaderElected& now) { require(terms_.insert(now.term).second, "a term has two leaders"); }
  std::set<int> terms_;
};

class ElectionTimer : public heddle::Machine {
 public:
  ElectionTimer(MachineId server, int depth) : server_(server), depth_(depth) {}
  struct Inactive;
  struct Active;
  static void declare(heddle::Declaration<ElectionTimer>& is) {
    is.state<Inactive>().start().go_to<Active, Start>().on<Stop>(&ElectionTimer::stop);
    is.state<Active>()
        .on_entry(&ElectionTimer::tick_on)
        .on<Tick>(&ElectionTimer::tick)
        .ignore<Start>()
        .on<Stop>(&ElectionTimer::stop);
  }

 private:
  void tick_on() { send(self(), Tick{}); }
  void tick() {
    if (choose_bool()) ++ticks_;
    if (ticks_ == depth_) {
      send(server_, ElectionTimeout{});
      ticks_ = 0;
    }
    if (choose_bool())
      tick_on();
    else
      go_to<Inactive>();
  }
  void stop() { halt(); }

  MachineId server_;
  int depth_;
  int ticks_ = 0;
};

class PeriodicTimer : public heddle::Machine {
 public:
  explicit PeriodicTimer(MachineId server) : server_(server) {}
  struct Inactive;
  struct Active;
  static void declare(heddle::Declaration<PeriodicTimer>& is) {
    is.state<Inactive>().start().go_to<Active, Start>().on<Stop>(&PeriodicTimer::stop);
    is.state<Active>()
        .on_entry(&PeriodicTimer::tick_on)
        .on<Tick>(&PeriodicTimer::tick)
        .ignore<Start>()
        .on<Stop>(&PeriodicTimer::stop);
  }

 private:
  void tick_on() { send(self(), Tick{}); }
  void tick() {
    if (choose_bool()) send(server_, PeriodicTimeout{});
    tick_on();
  }
  void stop() { halt(); }

  MachineId server_;
};

class Server : public heddle::Machine {
 public:
  Server(MachineId manager, int depth, Version version) : manager_(manager), depth_(depth), version_(version) {}
  struct Starting;
  struct Running;  // what all roles share
  struct Follower;
  struct Candidate;
  struct Leader;
  static void declare(heddle::Declaration<Server>& is) {
    is.state<Starting>().start().defer<RequestVote, AppendEntries>().go_to<Follower, Configure>(&Server::configure);
    is.group<Running>()
        .on<Request>(&Server::redirect)
        .on<RequestVote>(&Server::vote)
        .on<Vote>(&Server::look_at_term_of<Vote>)
        .on<AppendEntries>(&Server::append)
        .on<Appended>(&Server::look_at_term_of<Appended>)
        .ignore<PeriodicTimeout>()
        .on<ShutDown>(&Server::shut_down);
    is.state<Follower>().in<Running>().on_entry(&Server::follow).go_to<Candidate, ElectionTimeout>();
    is.state<Candidate>()
        .in<Running>()
        .on_entry(&Server::stand_for_election)
        .on<Vote>(&Server::count_vote)
        .on<PeriodicTimeout>(&Server::ask_for_votes)
        .go_to<Candidate, ElectionTimeout>();
    is.state<Leader>()
        .in<Running>()
        .on_entry(&Server::lead)
        .on<Request>(&Server::replicate)
        .on<Appended>(&Server::count_appended)
        .ignore<ElectionTimeout>();
  }

 private:
  struct Progress {
    MachineId server;
    std::size_t next;  // where the entries begin that it is sent
    bool has_all = false;
  };

  int last_term(std::size_t length) const { return length == 0 ? 0 : log_[length - 1].term; }

  void configure(Configure&& configure) {
    for (const MachineId server : configure.servers)
      if (server != self()) others_.push_back(server);
    election_timer_ = create<ElectionTimer>(self(), depth_);
    periodic_timer_ = create<PeriodicTimer>(self());
  }

  void follow() {
    follows_ = true;
    leader_ = {};
    send(election_timer_, Start{});
  }

  /// A later term makes everybody a follower.
  bool learn(int term) {
    if (term <= term_) return false;
    if (waiting_.client) send(manager_, waiting_);
    waiting_ = {};
    term_ = term;
    voted_for_ = {};
    leader_ = {};
    if (!follows_) go_to<Follower>();
    return true;
  }
  template <typename Message>
  void look_at_term_of(const Message& message) {
    learn(message.term);
  }

  // Elections.

  void stand_for_election() {
    follows_ = false;
    ++term_;
    voted_for_ = self();
    votes_ = 1;
    voters_.clear();
    send(election_timer_, Start{});
    ask_for_votes();
  }

  void ask_for_votes() {
    send(periodic_timer_, Start{});
    for (const MachineId server : others_)
      send(server, RequestVote{term_, self(), log_.size(), last_term(log_.size())});
  }

  void vote(const RequestVote& request) {
    learn(request.term);
    const int mine = last_term(log_.size());
    const bool is_current =
        request.last_term > mine || (request.last_term == mine && request.last_index >= log_.size());
    const bool grants = request.term == term_ && (!voted_for_ || voted_for_ == request.candidate) && is_current;
    if (grants) voted_for_ = request.candidate;
    send(request.candidate, Vote{term_, self(), grants});
  }

  void count_vote(const Vote& vote) {
    if (learn(vote.term) || vote.term < term_ || !vote.granted) return;
    const bool is_another = voters_.insert(vote.voter).second;
    if (is_another || version_ == Version::counts_votes_twice) ++votes_;
    if (votes_ >= kMajority) go_to<Leader>();
  }

  // The log.

  void lead() {
    tell<OneLeaderATerm>(LeaderElected{term_});
    leader_ = self();
    send(manager_, LeaderIs{self(), term_});
    progress_.clear();
    for (const MachineId server : others_) progress_.push_back({server, log_.size()});
    for (const Progress& progress : progress_) send_entries(progress, {});
  }

  void redirect(const Request& request) {
    if (leader_)
      send(leader_, request);
    else
      send(manager_, Redirect{request});
  }

  void replicate(const Request& request) {
    waiting_ = request;
    log_.push_back({term_, request.command});
    for (Progress& progress : progress_) {
      progress.has_all = false;
      send_entries(progress, request.client);
    }
  }

  void send_entries(const Progress& progress, MachineId client) {
    std::vector<Entry> entries(log_.begin() + static_cast<std::ptrdiff_t>(progress.next), log_.end());
    send(progress.server,
         AppendEntries{term_, self(), progress.next, last_term(progress.next), std::move(entries), committed_, client});
  }

  void append(AppendEntries&& request) {
    if (!learn(request.term) && request.term == term_ && !follows_) go_to<Follower>();
    const std::size_t previous = request.previous_index;
    const bool matches =
        request.term == term_ && previous <= log_.size() && last_term(previous) == request.previous_term;
    if (matches) {
      leader_ = request.leader;
      for (std::size_t i = 0; i < request.entries.size(); ++i) {
        if (previous + i < log_.size() && log_[previous + i].term != request.entries[i].term) log_.resize(previous + i);
        if (previous + i == log_.size()) log_.push_back(request.entries[i]);
      }
      committed_ = std::max(committed_, std::min(request.committed, previous + request.entries.size()));
    }
    send(request.leader, Appended{term_, self(), matches, previous + request.entries.size(), request.client});
  }

  void count_appended(const Appended& appended) {
    if (learn(appended.term) || appended.term < term_) return;
    std::size_t have_all = 1;
    for (Progress& progress : progress_) {
      if (progress.server == appended.server) {
        if (!appended.matches && progress.next > 0) {
          --progress.next;
          send_entries(progress, appended.client);
        } else if (appended.matches && appended.length >= progress.next) {
          progress.next = appended.length;
          progress.has_all = appended.length == log_.size();
        }
      }
      have_all += progress.has_all ? 1 : 0;
    }
    if (!waiting_.client || have_all < kMajority) return;
    committed_ = log_.size();
    send(waiting_.client, Response{});
    waiting_ = {};
  }

  void shut_down() {
    send(election_timer_, Stop{});
    send(periodic_timer_, Stop{});
    halt();
  }

  MachineId manager_;
  int depth_;
  Version version_;
  std::vector<MachineId> others_;
  MachineId election_timer_;
  MachineId periodic_timer_;

  bool follows_ = true;
  int term_ = 0;
  MachineId voted_for_;  // in this term
  MachineId leader_;     // of this term, if known
  std::vector<Entry> log_;
  std::size_t committed_ = 0;  // length of that part of the log

  // Of a candidate.
  std::size_t votes_ = 0;
  std::set<MachineId> voters_;

  // Of a leader.
  std::vector<Progress> progress_;
  Request waiting_{};  // for its response, if there is a client
};

class Client : public heddle::Machine {
 public:
  explicit Client(MachineId cluster) : cluster_(cluster) {}
  struct Waiting;
  static void declare(heddle::Declaration<Client>& is) {
    is.state<Waiting>().start().on_entry(&Client::ask).on<Response>(&Client::leave);
  }

 private:
  void ask() { send(cluster_, Request{self(), static_cast<int>(choose(5))}); }
  void leave() {
    send(cluster_, ShutDown{});
    halt();
  }
  MachineId cluster_;
};

class Manager : public heddle::Machine {
 public:
  Manager(int depth, Version version) : depth_(depth), version_(version) {}
  struct Unavailable;
  struct Available;
  static void declare(heddle::Declaration<Manager>& is) {
    is.state<Unavailable>()
        .start()
        .on_entry(&Manager::set_up)
        .defer<Request>()
        .go_to<Available, LeaderIs>(&Manager::note)
        .on<ShutDown>(&Manager::shut_down);
    is.state<Available>()
        .on<LeaderIs>(&Manager::note)
        .on<Request>(&Manager::pass_on)
        .on<Redirect>(&Manager::try_again)
        .on<ShutDown>(&Manager::shut_down);
  }

 private:
  void set_up() {
    for (std::size_t i = 0; i < kServers; ++i) servers_.push_back(create<Server>(self(), depth_, version_));
    create<Client>(self());
    for (const MachineId server : servers_) send(server, Configure{servers_});
  }
  void note(const LeaderIs& is) {
    if (is.term <= term_) return;
    leader_ = is.leader;
    term_ = is.term;
  }
  void pass_on(const Request& request) { send(leader_, request); }
  void try_again(const Redirect& redirect) { send(self(), redirect.request); }
  void shut_down() {
    for (const MachineId server : servers_) send(server, ShutDown{});
    halt();
  }

  int depth_;
  Version version_;
  std::vector<MachineId> servers_;
  MachineId leader_;
  int term_ = 0;
};

inline void run(Version version, int depth) {
  heddle::Runtime runtime;
  runtime.add_monitor<OneLeaderATerm>();
  runtime.create<Manager>(depth, version);
}

}  // namespace raft
