// A state of a program in the naive interpreter, and its steps.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "oracle/program.hpp"

namespace heddle::oracle {

enum class Phase : std::uint8_t {
  not_created,
  starting,
  acting,     // before its next instruction
  waiting,    // for a condition
  relocking,  // on the way out of that wait
  sleeping,   // on a futex word
  arrived,    // at a barrier
  leaving,    // a futex word or a barrier: it was woken
  in_once,    // before the step of the routine
  ending,     // has nothing left to do but to end
  ended
};

// Plain bytes without gaps: states are compared and hashed as such.
struct ThreadState {
  std::int16_t value = 0;   // its register; after the end, what it returned
  std::int16_t result = 0;  // what the wait that it leaves will return
  Phase phase = Phase::not_created;
  std::uint8_t at = 0;       // the next instruction
  std::int8_t creator = -1;  // the only thread that joins, detaches or cancels it
  std::uint8_t clock = 0;    // what it read last
  bool detached = false;
  bool joined = false;
  bool cancel_requested = false;
  bool cancel_disabled = false;
  bool cancelled = false;  // it acts on the request: relocking and ending on account of that
  bool left = false;       // it called pthread_exit
  std::array<std::int16_t, kLength> values = {};
};

enum class Consistency : std::uint8_t { consistent, owner_died, not_recoverable };

struct MutexState {
  std::int8_t owner = -1;
  std::uint8_t depth = 0;
  Consistency consistency = Consistency::consistent;
};

struct LockState {
  std::int8_t writer = -1;
  std::array<std::uint8_t, kThreads> readers = {};
};

struct State {
  std::array<ThreadState, kThreads> threads;
  std::array<std::int16_t, kObjects> memory = {};
  std::array<std::int16_t, kObjects> words = {};  // of futexes
  std::array<MutexState, kObjects> mutexes;
  std::array<std::int8_t, kObjects> spins;
  std::array<LockState, kObjects> locks;
  std::array<std::uint8_t, kObjects> semaphores = {};
  std::array<std::uint8_t, kObjects> onces = {};  // 0 fresh, 1 running, 2 done
  std::array<std::uint8_t, kObjects> times = {};
  std::uint8_t clock = 0;
  End end = End::ok;
  std::uint8_t end_thread = 0;
  std::uint8_t end_detail = 0;
  bool is_over = false;           // it failed, or the process has ended
  bool starts_are_steps = false;  // matters only to costs: where a thread stands when it is first passed over
};
static_assert(std::has_unique_object_representations_v<State>);

State first_state(const Program& program);
/// Adds the states that a step of `thread` leads to: none if it cannot go on.
void add_steps(const Program& program, const State& state, int thread, std::vector<State>& next);
/// Of a state without a step: it failed, everything has ended, or some thread waits for ever.
Outcome final_outcome(const Program& program, State state);

}  // namespace heddle::oracle
