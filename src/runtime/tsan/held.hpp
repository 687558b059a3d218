// The locks that each operation holds. They are kept only while an execution is recorded, so that the report of an
// access can say which locks were held.
//
// The locks of an operation form a list that never changes once it is made: taking a lock adds a node at the front,
// releasing one rebuilds the nodes before it. So an access keeps only the number of a node.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime {

class Held {
 public:
  struct Lock {
    ResourceId lock;
    std::uint32_t step;    // the number of the step that took it, from 1; 0: none did
    std::uint32_t before;  // index + 1 of the lock taken before it; 0: this is the first
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
