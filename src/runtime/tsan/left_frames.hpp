// Accesses to another operation's stack, in memory that this operation has left: below its current frames, or anywhere
// once it has ended.
//
// While an operation runs, all others stand inside a call into heddle. Their heddle frames are walked up to the one
// that the program called; the memory below it is not in use. The cost is a compare for an address in no operation's
// stack, and a walk over a few frames for an address in another operation's stack.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

class LeftFrames {
 public:
  void begin();
  /// The operation has its stack now, perhaps one that another operation had before.
  void add(OperationId id);

  struct Found {
    OperationId whose = kNoOperation;  // kNoOperation: nothing is wrong
    bool has_ended = false;
  };
  Found find(std::uintptr_t address, OperationId self) const {
    return address - lowest_ < highest_ - lowest_ ? search(address, self) : Found{};
  }

 private:
  struct Stack {
    std::uintptr_t low;
    std::uintptr_t high;
    OperationId of;  // the last operation that got it
  };

  [[gnu::noinline]] Found search(std::uintptr_t address, OperationId self) const;
  const Stack* stack_with(std::uintptr_t address) const;

  PageVector<Stack> stacks_;  // ordered by address
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

}  // namespace heddle::runtime
