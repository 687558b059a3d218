// The environment that a program started by the program under test gets: without what makes heddle load and act.
#pragma once

namespace heddle::runtime {

/// A copy without HEDDLE_* and without heddle's library in LD_PRELOAD; good until the next call.
char* const* without_heddle(char* const* environment);

/// While it lives, `environ` is such a copy: for functions of libc that start programs with it.
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
