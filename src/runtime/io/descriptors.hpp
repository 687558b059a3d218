// What is known about each descriptor in this execution.
//
// Threads communicate through pipes, sockets and the like, so calls on those are scheduling points. Files and
// directories never block and go straight to the kernel. The kernel is asked once per execution and number which kind
// it is. Every call that gives a number another meaning (pipe, socket, accept, dup2, close …) reports it here.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/page_vector.hpp"
#include "model/descriptor.hpp"

namespace heddle::runtime::io {

enum class Nature : std::uint8_t {
  unknown,
  plain,  // never blocks: a file, a directory, a device that is not a terminal
  pipe,
  socket,
  other,  // eventfd, timerfd, epoll, a terminal …
};

struct Descriptor {
  std::uint64_t execution = 0;  // if it is another execution, nothing is known
  Nature nature = Nature::unknown;
  bool standard = false;    // 0, 1 or 2 as inherited by the process
  bool inside = false;      // only this process can act on its other side
  bool made_here = false;   // in this execution, and not closed yet
  std::uint32_t timer = 0;  // index + 1 in the table of timers; 0: not a timer
  bool locked = false;      // at some time, with flock or fcntl: closing it may let another operation go on
  bool listens = false;     // closing it ends connections that were not accepted
  std::uint32_t object = model::Descriptor::kAny;
};

class Descriptors {
 public:
  void begin(std::uint64_t execution) { execution_ = execution; }

  /// As reported by the kernel or by `made`. Calls on a plain descriptor go straight through, unless it is a standard
  /// one: a program must take the same steps whether its output goes to a file or to a terminal.
  const Descriptor& of(int number);
  bool passes_straight(int number) {
    const Descriptor& what = of(number);
    return what.nature == Nature::plain && !what.standard;
  }

  /// A new descriptor. `inside`: both ends are in this process.
  void made(int number, Nature nature, bool inside, std::uint32_t timer = 0);
  /// A new descriptor of an existing object.
  void made_of(int number, Nature nature, bool inside, std::uint32_t object);
  void copied(int from, int to);
  void closed(int number);
  void locked(int number);
  void listens(int number) {
    if (is_possible(number)) at(number).listens = true;
  }
  /// From now on something outside may act on it.
  void opened_to_outside(int number) { at(number).inside = false; }

  /// Another descriptor of the same timer, or -1.
  int other_of_timer(std::uint32_t timer, int than) const;
  /// One more than the greatest number met.
  int end() const { return static_cast<int>(table_.size()); }

  /// Closes the descriptors that the execution made and did not close.
  void close_leftovers();

 private:
  static bool is_possible(int number) { return number >= 0 && number < kMost; }
  Descriptor& at(int number);
  static constexpr int kMost = 1 << 20;  // the kernel's default limit

  PageVector<Descriptor> table_;  // indexed by number
  std::uint64_t execution_ = 0;
};

extern Descriptors descriptors;

}  // namespace heddle::runtime::io
