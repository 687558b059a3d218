// Nobody can go on: says why, in a sentence that names who waits for what, and who holds it.
#pragma once

#include "engine/scheduler.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

struct Stuck {
  VerdictKind kind = VerdictKind::deadlock;
  char text[sizeof Verdict::message] = "";
};

/// A deadlock; a lost wake-up, if one of the conditions waited for was signalled before anybody waited; a leaked
/// thread, if the body itself has ended. Where the outside could still have moved somebody on it is none of them, and
/// the execution is only cut.
Stuck explain_stuck(const Scheduler& scheduler, bool awaits_outside = false);

}  // namespace heddle::engine
