// fork: the child is a copy in which nothing is under control any more.
//
// What heddle's tables held for the program becomes real there: its signal handlers and mask. The child has only the
// thread that called fork, as POSIX says. libc runs the functions registered with pthread_atfork. Those before the fork
// run under control, as part of the operation. Those in the child must not, so heddle's own is registered before any
// other.
#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include "engine/control.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/traps.hpp"
#include "runtime/process/children.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/process/started.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(fork);
HEDDLE_REAL(_Fork);

namespace {

std::uint64_t started = 0;
bool free_child = false;

void in_child() {
  if (!engine::is_controlled()) return;  // heddle's own fork, or one outside an exploration
  traps.leave();
  signals.become_real();
  engine::control = {};
  free_child = true;
  become_child();
}

[[gnu::constructor(101)]] void register_first() { pthread_atfork(nullptr, nullptr, in_child); }

pid_t start(pid_t (*real)(), const void* place) {
  front.execution().step(event(EventKind::create, kNoResource, place));
  const pid_t child = real();
  if (child == 0) in_child();  // _Fork runs no such functions
  if (child > 0) note_child_started();
  return child;
}

}  // namespace

namespace heddle::runtime {

void note_child_started() {
  ++started;
  watch_children();
}
std::uint64_t children_started() { return started; }
bool is_free_child() { return free_child; }
void become_free_child() { in_child(); }

}  // namespace heddle::runtime

HEDDLE_EXPORT pid_t fork() noexcept {
  if (!is_controlled()) return real_fork();
  return start([] { return real_fork(); }, HEDDLE_CALL_PLACE);
}

// The child of vfork borrows its parent's memory and may not return from here. So it always gets a copy instead: a
// function of ours cannot replace vfork without returning twice.
HEDDLE_EXPORT pid_t vfork() noexcept { return fork(); }

HEDDLE_EXPORT pid_t _Fork() noexcept {
  if (!is_controlled()) return real__Fork();
  return start([] { return real__Fork(); }, HEDDLE_CALL_PLACE);
}

HEDDLE_ALIAS(__fork, fork);
HEDDLE_ALIAS(__vfork, vfork);
