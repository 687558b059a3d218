// A program with a planted bug, as data: what each of its threads does, and what has to come together for it to fail.
//
// A thread is armed at first, and disarmed for good by a demand that its register does not meet. What is dangerous is
// done by armed threads alone, so a bug of depth d is one that needs d demands to be met, each an ordering between
// threads or a value. All demands meet in one thread (it fails, hangs or takes its locks the wrong way round once all
// have been met), or each is in a thread of its own (main fails after it has joined them all, if all were met).
//
// No thread touches plain memory that another one writes: the failure planted is the only one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace planted {

enum class Op : std::uint8_t {
  load,        // register = word a
  store,       // word a = b
  store_next,  // word a = register + 1
  add,         // register = word a, which grows by one
  swap,        // compare-exchange: if word a is 0 it becomes b; register = did it?
  lock,
  unlock,
  wait,  // for condition a with lock a
  broadcast,
  post,    // semaphore a
  put,     // value b into queue a
  take,    // register = what is first in queue a, once there is something
  choose,  // register = any value below b
  // No steps:
  keep,      // slot a = register
  changed,   // register = is it other than slot a?
  demand,    // disarms the thread unless the register is b
  if_armed,  // a disarmed thread passes over the next b instructions
  if_zero,   // passes over the next b instructions unless the register is 0
  met,       // demand a is met, if the thread is armed
  fail,      // if the thread is armed
};

struct Instruction {
  Op op = Op::load;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint8_t site = 0;  // its place in the code: alike threads share it
};
using Code = std::vector<Instruction>;

inline constexpr std::size_t kObjects = 40;  // of each kind
inline constexpr std::size_t kThreads = 100;
inline constexpr std::size_t kSites = 64;
inline constexpr int kDepthMax = 5;

struct Program {
  std::vector<Code> codes;
  std::vector<std::size_t> threads;  // the code of each, in the order in which main creates them
  int demands_met_apart = 0;         // main fails if so many were met; 0: a thread sees to it
};

/// Runs it once on real threads, under heddle.
void run(const Program& program);

}  // namespace planted
