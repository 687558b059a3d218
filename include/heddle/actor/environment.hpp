// Faults around a protocol, as choices of the strategy: a network that loses, duplicates and reorders packets, nodes
// that crash and restart, storage that fails. Every fault is a failure in the sense of Machine::inject_failure, so the
// strategies that learn try it once at each place and seldom again. In production nothing fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "heddle/actor/machine.hpp"

namespace heddle {
namespace actor {

/// Gives helpers of a machine access to its choices.
class Choices {
 public:
  static bool fails(Machine& machine) { return machine.inject_failure(); }
  static std::uint32_t any(Machine& machine, std::uint32_t bound) { return bound < 2 ? 0 : machine.choose(bound); }
};

}  // namespace actor

/// A network as a machine. To send an event through the network, send it to this machine as a packet.
///
///   const MachineId network = create<heddle::Network>(heddle::Network::Faults{.loses = true});
///   send(network, heddle::Network::packet(replica, Vote{true}));
class Network : public Machine {
 public:
  struct Faults {
    bool loses = false;
    bool duplicates = false;
    bool reorders = false;      // any packet under way may be delivered next
    bool delays = false;        // a packet may wait until the network has nothing else to do
    std::uint32_t at_most = 3;  // lost and duplicated packets, together
  };

  class Packet {
   public:
    Packet(std::function<void(Network&)> deliver) : deliver_(std::move(deliver)) {}

   private:
    friend class Network;
    std::function<void(Network&)> deliver_;
  };

  /// The event is copied if the network duplicates it.
  template <typename E>
  static Packet packet(MachineId to, E event) {
    return Packet([to, event = std::move(event)](Network& network) { network.send(to, E(event)); });
  }

  explicit Network(Faults faults) : faults_(faults) {}

  struct Working;
  static void declare(Declaration<Network>& is) {
    is.state<Working>().start().on<Packet>(&Network::take).on_idle(&Network::deliver_rest);
  }

 private:
  void take(Packet&& packet) {
    if (faults_.loses && fault()) return;
    const bool twice = faults_.duplicates && fault();
    if (twice) under_way_.push_back(packet);
    under_way_.push_back(std::move(packet));
    if (faults_.delays && choose_bool()) return;
    deliver_one();
  }

  void deliver_rest() {
    while (!under_way_.empty()) deliver_one();
  }

  void deliver_one() {
    const std::uint32_t which =
        faults_.reorders ? actor::Choices::any(*this, static_cast<std::uint32_t>(under_way_.size())) : 0;
    const Packet packet = std::move(under_way_[which]);
    under_way_.erase(under_way_.begin() + which);
    packet.deliver_(*this);
  }

  bool fault() {
    if (happened_ == faults_.at_most || !inject_failure()) return false;
    ++happened_;
    return true;
  }

  Faults faults_;
  std::uint32_t happened_ = 0;
  std::vector<Packet> under_way_;  // in order of arrival
};

/// Sent to a node that fails. The states of the node say what it forgets and which events it takes until it restarts:
///   is.state<Down>().go_to<Up, heddle::Restart>().ignore_any();
struct Crash {};
struct Restart {};

/// Makes nodes crash and restart whenever the strategy decides. It acts once for each Tick. At its start it sends
/// itself one Tick for each fault that is allowed.
class Nemesis : public Machine {
 public:
  struct Tick {};
  struct Faults {
    std::uint32_t at_most = 1;  // crashes
    bool restarts = true;
  };

  Nemesis(std::vector<MachineId> nodes, Faults faults) : nodes_(std::move(nodes)), faults_(faults) {}

  struct Waiting;
  static void declare(Declaration<Nemesis>& is) {
    is.state<Waiting>().start().on_entry(&Nemesis::begin).on<Tick>(&Nemesis::act);
  }

 private:
  void begin() {
    for (std::uint32_t i = 0; i < faults_.at_most; ++i) send(self(), Tick{});
  }
  void act() {
    if (nodes_.empty() || happened_ == faults_.at_most || !inject_failure()) return;
    ++happened_;
    const std::uint32_t which = actor::Choices::any(*this, static_cast<std::uint32_t>(nodes_.size()));
    send(nodes_[which], Crash{});
    if (faults_.restarts)
      send(nodes_[which], Restart{});
    else
      nodes_.erase(nodes_.begin() + which);  // it is gone for good
  }

  std::vector<MachineId> nodes_;
  Faults faults_;
  std::uint32_t happened_ = 0;
};

/// What a node keeps when it crashes. Its own node sees a write at once; the write survives a crash after `sync`.
template <typename Key, typename Value>
class Storage {
 public:
  struct Faults {
    bool writes_fail = false;   // a write may return false, and then nothing is written
    bool syncs_fail = false;    // a sync may return false, and then any number of the writes, in order, became safe
    bool tears = false;         // a crash keeps any number of the writes since the last sync, in order; else none
    std::uint32_t at_most = 1;  // writes and syncs that fail, together
  };

  explicit Storage(Faults faults = {}) : faults_(faults) {}

  /// `by` is the machine that owns the storage.
  bool write(Machine& by, Key key, Value value) {
    if (faults_.writes_fail && fault(by)) return false;
    pending_.emplace_back(std::move(key), std::move(value));
    return true;
  }

  bool sync(Machine& by) {
    const bool fails = faults_.syncs_fail && fault(by);
    keep(fails ? actor::Choices::any(by, count() + 1) : count());
    return !fails;
  }

  std::optional<Value> read(const Key& key) const {
    for (auto write = pending_.rbegin(); write != pending_.rend(); ++write)
      if (write->first == key) return write->second;
    const auto found = safe_.find(key);
    return found != safe_.end() ? std::optional(found->second) : std::nullopt;
  }

  /// The node has crashed: writes that were not synced are lost, except those that Faults::tears keeps.
  void crash(Machine& by) {
    if (faults_.tears) keep(actor::Choices::any(by, count() + 1));
    pending_.clear();
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(pending_.size()); }

  bool fault(Machine& by) {
    if (happened_ == faults_.at_most || !actor::Choices::fails(by)) return false;
    ++happened_;
    return true;
  }

  /// Makes the first `writes` pending writes safe.
  void keep(std::uint32_t writes) {
    for (std::uint32_t i = 0; i < writes; ++i) safe_.insert_or_assign(pending_[i].first, pending_[i].second);
    pending_.erase(pending_.begin(), pending_.begin() + writes);
  }

  Faults faults_;
  std::uint32_t happened_ = 0;
  std::map<Key, Value> safe_;
  std::vector<std::pair<Key, Value>> pending_;
};

}  // namespace heddle
