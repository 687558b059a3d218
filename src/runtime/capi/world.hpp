// Where the calls of the running operation take effect: on the caller's own threads (session.hpp), or in the execution
// of heddle::explore that the operation is part of (explored_world.hpp).
#pragma once

#include <cstdint>

#include "engine/scheduler.hpp"
#include "heddle/heddle.h"
#include "model/event.hpp"

namespace heddle::runtime::capi {

class World {
 public:
  virtual engine::Scheduler& scheduler() = 0;
  /// The running operation comes to stand before the event, and an operation goes on. HEDDLE_OK: it is its turn again.
  virtual heddle_code step(const model::Event& event) = 0;
  /// The same, where another operation must first wake it with Scheduler::stand.
  virtual heddle_code step_when_woken(const model::Event& event) = 0;
  virtual std::uint32_t choose(std::uint32_t bound, bool is_failure, const void* place) = 0;

 protected:
  ~World() = default;
};

}  // namespace heddle::runtime::capi
