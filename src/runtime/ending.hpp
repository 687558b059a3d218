// While it lives, an exception that nobody catches inside an operation is a verdict. At home, around an exploration.
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
