// A machine of the pool, and its address: where other threads put its events.
//
// A machine is destroyed when it has halted, and its address is reused for another machine. A sender may still know the
// old id and have an event on its way. So an event carries the number of the machine it is for (EventBox::identity). A
// machine that finds an event for another number in its mailbox drops it, as if it had arrived after that machine
// halted.
#pragma once

#include <atomic>
#include <cstdint>

#include "actor/core.hpp"
#include "actor/production/mailbox.hpp"

namespace heddle::actor {

struct Timer;
class ProductionMachine;
class Worker;

class ProductionAddress final : public Address {
 public:
  explicit ProductionAddress(System& the_system) : system(the_system) {}

  /// The machine at this address. Call it only while the machine cannot be destroyed: it is at rest, or runs here.
  ProductionMachine& resident() const;

  System& system;
  Mailbox mailbox;
  std::atomic<std::uint32_t> number{0};  // of the current or the last machine here
  std::atomic<Worker*> runner{nullptr};  // the worker that ran it last

  // Used if inboxes are bounded.
  std::atomic<std::uint32_t> held{0};    // events in mailbox and inbox, and those about to be put
  std::atomic<bool> has_waiting{false};  // a sender waits for room in it
  ProductionMachine* waiting = nullptr;  // machines that wait; guarded by Bounds
  bool waits = false;                    // for room elsewhere; guarded by Bounds
  bool is_closed = false;                // guarded by Bounds
};

class ProductionMachine final : public MachineCore {
 public:
  ProductionMachine(ProductionAddress& the_address, const Table& table, std::string_view name, std::uint32_t number)
      : MachineCore(the_address.system, table, name, number, &the_address), address(the_address) {}

  /// Moves arrived events into the inbox. False: none arrived.
  bool collect() { return deliver_all(address.mailbox.take()); }
  /// Like `collect`, and no more events arrive afterwards.
  void close() { deliver_all(address.mailbox.close()); }

  ProductionAddress& address;
  ProductionMachine* next_ready = nullptr;  // in a list of machines that are to run, or that wait for room
  ProductionMachine* next = nullptr;        // of all machines of the runtime; guarded by Population
  ProductionMachine* previous = nullptr;
  ProductionAddress* sent_to_full = nullptr;  // the last full inbox that the running action has sent to
  Timer* timers = nullptr;                    // its running timers; guarded by Timers
  std::uint32_t strays = 0;                   // events for other numbers that arrived since the last check
  bool has_had_timers = false;
  bool has_started = false;

 private:
  bool deliver_all(EventBox* oldest);
  void drop_stray(EventBox* box);
  void check_at_most(const EventBox& box);
};

inline ProductionMachine& ProductionAddress::resident() const { return static_cast<ProductionMachine&>(*machine); }

}  // namespace heddle::actor
