// What is known of each descriptor in this execution.
//
// Threads talk to each other through pipes, sockets and the like; what they do with those are scheduling points. Files
// and directories never block, and go straight to the kernel. Which is which the kernel is asked once an execution for
// each number; whatever gives a number another meaning (pipe, socket, accept, dup2, close …) says so here.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/page_vector.hpp"
#include "model/descriptor.hpp"

namespace heddle::runtime::io {

enum class Nature : std::uint8_t {
  unknown,
  plain,  // never blocks: a file, a directory, a device that is no terminal
  pipe,
  socket,
  other,  // eventfd, timerfd, epoll, a terminal …
};

struct Descriptor {
  std::uint64_t execution = 0;  // what follows is of another one: nothing is known
  Nature nature = Nature::unknown;
  bool standard = false;    // 0, 1 or 2 as the process was given it
  bool inside = false;      // only this process can act on its other side
  bool made_here = false;   // in this execution, and not yet closed
  std::uint32_t timer = 0;  // index + 1 in the table of timers; 0: it is none
  bool locked = false;      // by flock or fcntl, at some time: to close it may let another go on
  std::uint32_t object = model::Descriptor::kAny;
};

class Descriptors {
 public:
  void begin(std::uint64_t execution) {
    execution_ = execution;
    objects_ = model::Descriptor::kStandard;
  }

  /// What the kernel or `made` says. A plain one is passed straight through, unless it is a standard one: a program
  /// must take the same steps whether its output goes to a file or to a terminal.
  const Descriptor& of(int number);
  bool passes_straight(int number) {
    const Descriptor& what = of(number);
    return what.nature == Nature::plain && !what.standard;
  }

  /// A new one. `inside`: both ends are in this process.
  void made(int number, Nature nature, bool inside, std::uint32_t timer = 0);
  /// What is behind it is behind `other`, too, or can be anything.
  void share_object(int number, int other) { at(number).object = at(other).object; }
  void set_any_object(int number) { at(number).object = model::Descriptor::kAny; }
  void copied(int from, int to);
  void closed(int number);
  void locked(int number) {
    if (is_possible(number)) at(number).locked = true;
  }
  /// Somebody outside may act on it from now on.
  void opened_to_outside(int number) { at(number).inside = false; }

  /// Another number of the same timer, or -1.
  int other_of_timer(std::uint32_t timer, int than) const;
  /// One past the greatest number that was met.
  int end() const { return static_cast<int>(table_.size()); }

  /// Those that the execution made and did not close.
  void close_leftovers();

 private:
  static bool is_possible(int number) { return number >= 0 && number < kMost; }
  Descriptor& at(int number);
  static constexpr int kMost = 1 << 20;  // the kernel's own default bound

  PageVector<Descriptor> table_;  // indexed by number
  std::uint64_t execution_ = 0;
  std::uint32_t objects_ = model::Descriptor::kStandard;  // the number of the last one made
};

extern Descriptors descriptors;

}  // namespace heddle::runtime::io
