// A machine of the pool: the core, and where other threads put its events.
#pragma once

#include <atomic>
#include <cstdint>

#include "actor/core.hpp"
#include "actor/production/mailbox.hpp"

namespace heddle::actor {

struct Timer;

class ProductionMachine final : public MachineCore {
 public:
  using MachineCore::MachineCore;

  /// Moves what has come into the inbox. False: nothing has.
  bool collect() { return deliver_all(mailbox.take()); }
  /// … and nothing comes any more.
  void close() { deliver_all(mailbox.close()); }

  Mailbox mailbox;
  ProductionMachine* next_ready = nullptr;    // in a list of those that are to run, or that wait for room
  ProductionMachine* next_made = nullptr;     // all that the runtime has
  ProductionMachine* sent_to_full = nullptr;  // the last inbox without room that the running action has sent to
  Timer* timers = nullptr;                    // its running ones; guarded by Timers
  bool has_had_timers = false;
  bool has_started = false;

  // If inboxes are bounded.
  std::atomic<std::uint32_t> held{0};    // events in mailbox and inbox
  std::atomic<bool> has_waiting{false};  // somebody waits for room in it
  ProductionMachine* waiting = nullptr;  // machines that do; guarded by Bounds
  bool waits = false;                    // for room elsewhere; guarded by Bounds
  bool is_closed = false;                // guarded by Bounds

 private:
  bool deliver_all(EventBox* oldest);
  void check_at_most(const EventBox& box);
};

}  // namespace heddle::actor
