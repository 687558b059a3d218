#include "runtime/tsan/watch.hpp"

#include "engine/execution.hpp"

namespace heddle::runtime {

using model::EventKind;

bool memory_is_watched = false;
namespace {
model::HappensBefore order_before_cxx20;
}
model::HappensBefore memory_order(&order_before_cxx20);
Watch watch;

void Watch::begin() {
  if (!is_instrumented_) return;
  ignores_.clear();
  stacks_.begin(front.execution().is_recording());
  memory_.begin(front.scheduler().settings());
  atomics_.begin();
  memory_is_watched = true;
}

void Watch::end() {
  stacks_.end();
  memory_is_watched = false;
}

void Watch::add(OperationId child, OperationId parent, OperationId earlier_there) {
  memory_order.add(child, parent);
  memory_.add(child, earlier_there);
}

void Watch::ignore(int by) {
  const std::size_t self = index(front.self());
  if (self >= ignores_.size()) ignores_.resize(self + 1);
  ignores_[self] += by;
}

bool Watch::looks_at(OperationId id) {
  return is_known_to_detector(id) && (index(id) >= ignores_.size() || ignores_[index(id)] <= 0);
}

void Watch::look(const void* at, std::size_t bytes, bool writes, const void* place) {
  if (!looks_at(front.self())) return;
  const bool is_point = atomics_.is_plain_point(place);
  const AccessKind kind = writes ? AccessKind::write : AccessKind::read;
  if (is_point && writes) atomics_.stand_before_store(EventKind::write, at, bytes, place);
  if (is_point && !writes) atomics_.stand_before_load(EventKind::read, at, bytes, place);
  atomics_.will_touch_plain(at, bytes, writes, is_point);
  if (!is_point) memory_.before_access(kind, at, bytes, place);
  memory_.access(kind, at, bytes, place);
  if (!writes && is_point) atomics_.has_read(at, bytes, value_at(at, bytes), place);
}

void Watch::allocated(const void* block, std::size_t bytes, const void* place) {
  if (looks_at(front.self()))
    memory_.allocated(block, bytes, place);
  else
    memory_.forget(block, bytes);
}

void Watch::freed(const void* block, std::size_t bytes, const void* place) {
  if (looks_at(front.self())) memory_.freed(block, bytes, place);
}

void check_still_there(ResourceId id) {
  if (front.at(id).kind != model::ResourceKind::variable) watch.used(id);
}

void Watch::used(ResourceId id) {
  if (looks_at(front.self())) memory_.used(id);
}

void note_taken(ResourceId lock) { watch.stacks().taken(lock); }
void note_given_back(ResourceId lock) { watch.stacks().given_back(lock); }

engine::Levels levels_of_points() {
  using engine::Points;
  // A bug that the first executions show is easier to read without the points after releases.
  if (!watch.is_instrumented()) return {.all = {Points::sync, Points::release}, .turns_alone = 8};
  const auto has_more = [](Points points) {
    return points == Points::racy ? watch.promoted().size() > 0 : watch.promoted().has_atomics();
  };
  return {{Points::sync, Points::atomic, Points::racy, Points::all}, has_more};
}

}  // namespace heddle::runtime
