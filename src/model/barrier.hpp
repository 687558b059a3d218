// A reusable barrier for a fixed number of parties.
#pragma once

#include <cstdint>

#include "model/wait_queue.hpp"

namespace heddle::model {

class Barrier {
 public:
  Barrier() = default;
  explicit Barrier(std::uint32_t parties) : parties_(parties) {}

  std::uint32_t parties() const { return parties_; }
  WaitQueue& waiters() { return waiters_; }
  const WaitQueue& waiters() const { return waiters_; }

  /// Is the operation that arrives now the last of its round? Then every operation in `waiters` continues.
  bool completes() const { return waiters_.size() + 1 >= parties_; }

 private:
  std::uint32_t parties_ = 1;
  WaitQueue waiters_;  // of the current round; fewer than parties
};

}  // namespace heddle::model
