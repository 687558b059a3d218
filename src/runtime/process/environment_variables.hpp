// The environment for programs that the program under test starts: without the variables that make heddle load and act.
#pragma once

namespace heddle::runtime {

/// A copy without HEDDLE_* and without heddle's library in LD_PRELOAD; valid until the next call.
char* const* without_heddle(char* const* environment);

/// While this object lives, `environ` is such a copy: for libc functions that start programs with it.
class EnvironmentWithoutHeddle {
 public:
  EnvironmentWithoutHeddle();
  ~EnvironmentWithoutHeddle();
  EnvironmentWithoutHeddle(const EnvironmentWithoutHeddle&) = delete;
  EnvironmentWithoutHeddle& operator=(const EnvironmentWithoutHeddle&) = delete;

 private:
  char** saved_;
};

}  // namespace heddle::runtime
