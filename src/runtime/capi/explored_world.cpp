#include "runtime/capi/explored_world.hpp"

#include "runtime/capi/error.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime::capi {

ExploredWorld explored_world;

Calls& ExploredWorld::calls() {
  if (execution_ != front.execution_number()) [[unlikely]] {
    execution_ = front.execution_number();
    calls_.begin(kNoResource);
  }
  return calls_;
}

engine::Scheduler& ExploredWorld::scheduler() { return front.scheduler(); }

heddle_code ExploredWorld::create(std::uint64_t id) {
  if (const heddle_code code = calls().may_create(id)) return code;
  calls_.add_operation(id, kNoOperation, scheduler().add_resource(model::ResourceKind::signal, nullptr));
  return HEDDLE_OK;
}

heddle_code ExploredWorld::start(std::uint64_t id) {
  if (const heddle_code code = calls().may_start(id)) return code;
  if (calls_.live(front.self()) != nullptr) return error(HEDDLE_THREAD_TAKEN);
  calls_.bind(id, front.self());
  calls_.start(id);
  return HEDDLE_OK;
}

heddle_code ExploredWorld::end(std::uint64_t id) {
  if (const heddle_code code = calls().may_end(id)) return code;
  if (calls_.operation(id).self != front.self()) return error(HEDDLE_NOT_RUNNING);
  calls_.end(id);
  return HEDDLE_OK;
}

heddle_code ExploredWorld::fail(const char* message) {
  if (message == nullptr) return error(HEDDLE_BAD_ARGUMENT, "a failure without a message: say what is wrong");
  front.execution().fail(VerdictKind::failed, message);
}

// No call of the C API is a cancellation point. But pthread_cancel takes a thread out of events that it knows as
// cancellation points, a join or an acquire. The thread then returns to the call, and is cancelled at the next real
// cancellation point.
heddle_code ExploredWorld::step(const model::Event& event) {
  front.execution().step(event);
  taken_out_to_cancel();
  return HEDDLE_OK;
}

heddle_code ExploredWorld::step_when_woken(const model::Event& event) {
  do {
    front.execution().step_when_woken(event);
    taken_out_to_cancel();
  } while (calls_.waits().is_waiting(front.self()));
  return HEDDLE_OK;
}

std::uint32_t ExploredWorld::choose(std::uint32_t bound, bool is_failure, const void*) {
  return front.execution().choose(bound, is_failure);
}

}  // namespace heddle::runtime::capi
