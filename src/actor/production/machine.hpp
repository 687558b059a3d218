// A machine of the pool, and its address: where other threads put its events.
//
// A machine goes when it has halted, and its address becomes that of another one. Somebody may know the old id and have
// an event on its way: so an event says the number of the machine that it is for (EventBox::identity), and who finds
// one for another number in its mailbox drops it, as if it had come when that other one had halted.
#pragma once

#include <atomic>
#include <cstdint>

#include "actor/core.hpp"
#include "actor/production/mailbox.hpp"

namespace heddle::actor {

struct Timer;
class ProductionMachine;

class ProductionAddress final : public Address {
 public:
  explicit ProductionAddress(System& the_system) : system(the_system) {}

  /// Whose it is; only while it cannot go: it is at rest, or runs here.
  ProductionMachine& resident() const;

  System& system;
  Mailbox mailbox;
  std::atomic<std::uint32_t> number{0};  // of the machine whose it is, or was

  // If inboxes are bounded.
  std::atomic<std::uint32_t> held{0};    // events in mailbox and inbox, and those that are about to be put
  std::atomic<bool> has_waiting{false};  // somebody waits for room in it
  ProductionMachine* waiting = nullptr;  // machines that do; guarded by Bounds
  bool waits = false;                    // for room elsewhere; guarded by Bounds
  bool is_closed = false;                // guarded by Bounds
};

class ProductionMachine final : public MachineCore {
 public:
  ProductionMachine(ProductionAddress& the_address, const Table& table, std::string_view name, std::uint32_t number)
      : MachineCore(the_address.system, table, name, number, &the_address), address(the_address) {}

  /// Moves what has come into the inbox. False: nothing has.
  bool collect() { return deliver_all(address.mailbox.take()); }
  /// … and nothing comes any more.
  void close() { deliver_all(address.mailbox.close()); }

  ProductionAddress& address;
  ProductionMachine* next_ready = nullptr;  // in a list of those that are to run, or that wait for room
  ProductionMachine* next = nullptr;        // of all that the runtime has; guarded by Population
  ProductionMachine* previous = nullptr;
  ProductionAddress* sent_to_full = nullptr;  // the last inbox without room that the running action has sent to
  Timer* timers = nullptr;                    // its running ones; guarded by Timers
  std::uint32_t strays = 0;                   // events for others that have come since they were last looked at
  bool has_had_timers = false;
  bool has_started = false;

 private:
  bool deliver_all(EventBox* oldest);
  void drop_stray(EventBox* box);
  void check_at_most(const EventBox& box);
};

inline ProductionMachine& ProductionAddress::resident() const { return static_cast<ProductionMachine&>(*machine); }

}  // namespace heddle::actor
