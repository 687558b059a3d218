// The timers of all machines of a runtime: a heap by deadline and one thread, which starts with the first timer.
//
// A timer knows its position in the heap, so a stopped timer is removed at once. A timer that guards a request for 30
// seconds and is stopped after one millisecond costs nothing for the rest of the time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "actor/production/machine.hpp"
#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"

namespace heddle::actor {

struct Timer {
  using Clock = std::chrono::steady_clock;

  ProductionMachine* of;
  MachineId id;  // of that machine
  EventBox* box;
  Clock::time_point deadline;
  std::chrono::nanoseconds period;  // 0: fires once
  std::uint32_t number = 0;
  std::size_t place = 0;  // in the heap
  Timer* next = nullptr;  // of the same machine
  Timer* previous = nullptr;

  bool is_before(const Timer& other) const {
    return deadline != other.deadline ? deadline < other.deadline : number < other.number;
  }
};
class Timers {
 public:
  /// Puts the event into the machine's inbox. `is_last`: it is the timer's own event, and the timer is gone; else a
  /// copy.
  using Fire = std::function<void(MachineId of, EventBox* box, bool is_last)>;
  using Copy = std::function<EventBox*(const EventBox& box)>;

  Timers(Fire fire, Copy copy) : fire_(std::move(fire)), copy_(std::move(copy)) {}
  ~Timers() { end(); }

  std::uint32_t start(ProductionMachine& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                      EventBox* box);
  /// Returns the stopped timer with its event; null: it has fired, or belongs to another machine.
  std::unique_ptr<Timer> stop(ProductionMachine& of, std::uint32_t number);
  std::vector<std::unique_ptr<Timer>> stop_all(ProductionMachine& of);
  /// No timer fires any more. Returns all that are left.
  std::vector<std::unique_ptr<Timer>> end();

 private:
  void live();
  std::unique_ptr<Timer> remove(std::uint32_t number);
  void put(std::size_t place, Timer* timer);
  void rise(std::size_t place);
  void sink(std::size_t place);

  const Fire fire_;
  const Copy copy_;
  std::mutex mutex_;
  std::condition_variable changed_;  // another timer is first, or the end has come
  std::unordered_map<std::uint32_t, std::unique_ptr<Timer>> timers_;
  std::vector<Timer*> heap_;  // the children of i are at 2i+1 and 2i+2, with later deadlines
  std::uint32_t last_number_ = 0;
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace heddle::actor
