// The C API inside the body of heddle::explore, where the threads are already operations.
//
// An id is bound to the thread that starts it. Waiting, scheduling and choosing go through the execution, and the
// verdicts are those of any other body: a call that can never return ends the execution as a deadlock.
#pragma once

#include <cstdint>

#include "heddle/heddle.h"
#include "runtime/capi/calls.hpp"
#include "runtime/capi/world.hpp"

namespace heddle::runtime::capi {

class ExploredWorld final : public World {
 public:
  heddle_code create(std::uint64_t id);
  heddle_code start(std::uint64_t id);
  heddle_code end(std::uint64_t id);
  heddle_code fail(const char* message);
  /// Of the running execution: declarations of earlier executions are forgotten.
  Calls& calls();

  engine::Scheduler& scheduler() override;
  heddle_code step(const model::Event& event) override;
  heddle_code step_when_woken(const model::Event& event) override;
  std::uint32_t choose(std::uint32_t bound, bool is_failure, const void* place) override;

 private:
  Calls calls_{*this};
  std::uint64_t execution_ = 0;  // number of the execution that calls_ belongs to
};

extern ExploredWorld explored_world;

}  // namespace heddle::runtime::capi
