// While this object lives, an uncaught exception inside an operation is a verdict. Made at home, around an exploration.
#pragma once

namespace heddle::runtime {

class TerminateGuard {
 public:
  TerminateGuard();
  ~TerminateGuard();
  TerminateGuard(const TerminateGuard&) = delete;
  TerminateGuard& operator=(const TerminateGuard&) = delete;
};

}  // namespace heddle::runtime
