// Who stands before a descriptor, and whether the kernel would let it go on.
//
// An operation that would block stands here with the descriptors that it wants; it is enabled while the kernel says
// that one of them is ready. That can change when an operation does something to a descriptor (`look_again` after each
// such step), when time passes (timers), or from outside, which is looked at only when nobody else can go on, or time
// passes. So what the operations do to each other repeats with the schedule.
#pragma once

#include <poll.h>

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/execution.hpp"
#include "engine/scheduler.hpp"
#include "model/event.hpp"
#include "runtime/io/file_locks.hpp"

namespace heddle::runtime::io {

/// Of real time, in which another process may answer while everybody stands still.
inline constexpr std::uint64_t kMomentNs = 100'000'000;

/// What one operation waits for. `wanted` is on its stack; its `revents` are not written.
struct Wanted {
  pollfd* descriptors = nullptr;
  std::uint32_t count = 0;
  bool as_select = false;          // a hang-up counts only for those who want to read
  bool is_one_call = false;        // the call itself is made with the number that is wanted then: see before_close
  const FileLock* lock = nullptr;  // that, and no descriptor
};

class Waiting {
 public:
  void begin(engine::Execution& execution);

  /// By the running operation: stands before the event until one of the descriptors is ready. False: the deadline came
  /// first.
  bool stand(model::Event event, Wanted wanted, std::uint64_t deadline = engine::kNever);
  /// Would it be admitted now?
  bool is_ready(Wanted wanted);
  /// Some descriptor is not what it was: looks again at everybody who stands before one.
  void look_again() {
    if (!waits_.empty()) look();
  }

  /// By the running operation. Whoever waits for that descriptor is about to make its call, which then fails, or is in
  /// the kernel already, which keeps open what it waits for: a choice.
  void before_close(int descriptor);

  /// As engine::Environment says, of descriptors.
  bool look() { return look_at_all_but(kNoOperation); }
  void time_passed();
  bool is_awaited() const;
  bool wait(std::uint32_t milliseconds);

 private:
  struct Wait {
    OperationId who = kNoOperation;
    model::Event event;
    Wanted wanted;
    std::uint64_t deadline = engine::kNever;      // its own
    std::uint64_t stands_until = engine::kNever;  // that, or the first timer among what it wants
    bool ready = false;
    bool outside = false;  // somebody outside can make it ready
  };

  void give_outside_a_moment(const Wanted& wanted);
  bool is_in_wait(const Wait& wait) const;
  bool place(Wait& wait, bool ready);
  bool look_at_all_but(OperationId picked);
  std::size_t poll_some(std::size_t first, OperationId picked, bool& moved);
  void remove(OperationId who);
  std::uint64_t first_end(const Wanted& wanted, std::uint64_t deadline) const;

  engine::Scheduler* scheduler_ = nullptr;
  PageVector<Wait> waits_;
  PageVector<pollfd> asked_;  // scratch
};

extern Waiting waiting;

}  // namespace heddle::runtime::io
