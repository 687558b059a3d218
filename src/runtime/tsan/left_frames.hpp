// Accesses of another operation's stack, in memory that this operation has left: below the frames that it is in, or
// anywhere once it has ended.
//
// While an operation runs, all others stand inside a call of heddle's. Their frames of heddle's are walked up to the
// one that the program called; what lies below it belongs to nobody. Costs a compare for an address that is in no
// operation's stack, and a walk over a few frames for one that is in another's.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

class LeftFrames {
 public:
  void begin();
  /// The operation has its stack now, perhaps one that another had before.
  void add(OperationId id);

  struct Found {
    OperationId whose = kNoOperation;  // none: nothing is wrong
    bool has_ended = false;
  };
  Found find(std::uintptr_t address, OperationId self) const {
    return address - lowest_ < highest_ - lowest_ ? search(address, self) : Found{};
  }

 private:
  struct Stack {
    std::uintptr_t low;
    std::uintptr_t high;
    OperationId of;  // the last one that got it
  };

  [[gnu::noinline]] Found search(std::uintptr_t address, OperationId self) const;
  const Stack* stack_with(std::uintptr_t address) const;

  PageVector<Stack> stacks_;  // by address
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

}  // namespace heddle::runtime
