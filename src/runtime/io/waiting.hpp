// Which operations stand before a descriptor, and whether the kernel would let them go on.
//
// An operation that would block stands here with the descriptors that it wants. It is enabled while the kernel says
// that one of them is ready. That can change when an operation acts on a descriptor (`look_again` after each such
// step), when time passes (timers), or from outside. The outside is examined only when no other operation can go on, or
// when time passes. So the effects of the operations on each other repeat with the schedule.
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

/// Real time in which another process may answer while all operations stand still.
inline constexpr std::uint64_t kMomentNs = 100'000'000;

/// What one operation waits for. `wanted` is on its stack; its `revents` are not written.
struct Wanted {
  pollfd* descriptors = nullptr;
  std::uint32_t count = 0;
  bool as_select = false;          // a hang-up counts only when waiting to read
  bool is_one_call = false;        // the call uses the number that is wanted at that time: see before_close
  const FileLock* lock = nullptr;  // waits for this lock, not for a descriptor
};

/// The effect of the running step on an object, and on the objects that watch it. Costs nothing if no footprint is
/// wanted.
void touch_object(std::uint32_t object, model::Does does);
/// In the step that the event began: the object now behind its descriptor, which another operation may have replaced.
void touch_objects(const model::Event& event);
/// The same for an event that has no descriptor of its own.
void touch_all(const Wanted& wanted, const model::Event& event);

class Waiting {
 public:
  void begin(engine::Execution& execution);

  /// Called by the running operation: stands before the event until one of the descriptors is ready. False: the
  /// deadline came first.
  bool stand(model::Event event, Wanted wanted, std::uint64_t deadline = engine::kNever);
  /// True if a wait would be admitted now.
  bool is_ready(Wanted wanted);
  /// Some descriptor has changed: re-examines every operation that stands before one.
  void look_again() {
    if (!waits_.empty()) look();
  }

  /// Called by the running operation. An operation that waits for that descriptor is either about to make its call,
  /// which then fails, or already in the kernel, which keeps the awaited object open. Which of these holds is a choice.
  void before_close(int descriptor);

  /// As in engine::Environment, for descriptors.
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
    std::uint64_t stands_until = engine::kNever;  // `deadline`, or the earliest timer among the wanted descriptors
    bool ready = false;
    bool outside = false;  // something outside can make it ready
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
