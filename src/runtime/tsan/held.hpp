// The locks that each operation holds, kept only while an execution is recorded: an access that is told of later says
// which ones were held then.
//
// What an operation holds is a list that never changes once it is made: taking a lock puts one node in front, giving
// one back makes the nodes before it anew. So an access keeps nothing but the number of a node.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

class Held {
 public:
  struct Lock {
    ResourceId lock;
    std::uint32_t step;    // the how-manyeth step took it, from 1; 0: none did
    std::uint32_t before;  // index + 1 of the one taken before it; 0: the first
  };

  void begin();
  /// `again`: it may be held more than once, and is given back as often.
  void take(OperationId who, ResourceId lock, std::uint32_t step, bool again);
  void give_back(OperationId who, ResourceId lock);
  /// Index + 1 of the lock taken last; 0: none is held.
  std::uint32_t of(OperationId who) const { return index(who) < last_.size() ? last_[index(who)] : 0; }
  const Lock& operator[](std::uint32_t number) const { return locks_[number - 1]; }

 private:
  std::uint32_t add(ResourceId lock, std::uint32_t step, std::uint32_t before);
  std::uint32_t without(std::uint32_t list, ResourceId lock);

  PageVector<Lock> locks_;
  PageVector<std::uint32_t> last_;  // indexed by operation
};

}  // namespace heddle::runtime
