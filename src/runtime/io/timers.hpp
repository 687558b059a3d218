// Timers that are descriptors, on virtual time.
//
// The timerfd of a controlled program is really an eventfd: when virtual time reaches the end of the timer, heddle adds
// the number of expirations to it. So read, poll, select and epoll find it ready by the kernel's own rules, and only
// the setting of the timer needs a model. The timer's end is a deadline of the operation that waits for it: where time
// is a choice, it may come at once.
#pragma once

#include <time.h>

#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::runtime::io {

struct Timer {
  int descriptor = -1;  // one of the descriptors under which it is open; -1: closed
  clockid_t clock = CLOCK_MONOTONIC;
  std::uint64_t end = 0;       // in the scheduler's time; kNever: not set
  std::uint64_t interval = 0;  // 0: once
};

class Timers {
 public:
  void begin();
  bool none() const { return timers_.empty(); }

  /// Returns index + 1.
  std::uint32_t add(int descriptor, clockid_t clock);
  Timer& at(std::uint32_t number) { return timers_[number - 1]; }
  /// A descriptor of the timer is closed; `other` is another one of the same timer, or -1.
  void closed(std::uint32_t number, int other);

  /// The time is `now`: timers whose end has come become readable.
  void fire(std::uint64_t now);
  bool is_due(std::uint64_t now) const;

  void watch(int epoll, std::uint32_t number);
  void stop_watching(int epoll, std::uint32_t number);
  /// The earliest end of the timers that this epoll watches.
  std::uint64_t first_end_in(int epoll) const;

 private:
  struct Watch {
    int epoll;
    std::uint32_t timer;
  };
  PageVector<Timer> timers_;
  PageVector<Watch> watches_;
};

extern Timers timers;

}  // namespace heddle::runtime::io
