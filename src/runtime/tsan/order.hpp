// How the primitives tell the memory watch which operations learn from which. Costs one load if nothing is watched.
#pragma once

#include "model/happens_before.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime {

/// True if the program reports its accesses and they are wanted.
extern bool memory_is_watched;
extern model::HappensBefore memory_order;

/// The numbers of resources in the memory order; 0 is everything outside the process, and what comes through it.
inline constexpr std::uint32_t kOutsideSync = 0;
inline std::uint32_t sync_of(ResourceId id) { return index(id) + 1; }

/// True if the call is made by an operation whose accesses count.
inline bool is_watched() { return memory_is_watched && is_controlled(); }

/// The resource that represents the object at this address, whatever it is.
inline ResourceId variable_at(const volatile void* at) {
  return front.resource(const_cast<const void*>(at), model::ResourceKind::variable, [](model::Resource&) {});
}

/// The last step used that object: it must not have been freed.
void check_still_there(ResourceId id);
inline void uses(ResourceId id) {
  if (memory_is_watched) [[unlikely]]
    check_still_there(id);
}

inline void releases(ResourceId id, model::HappensBefore::Side side = model::HappensBefore::kFirst) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.release(front.self(), sync_of(id), side);
}
inline void acquires(ResourceId id, model::HappensBefore::Side side = model::HappensBefore::kFirst) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.acquire(front.self(), sync_of(id), side);
}

/// A lock was taken, in the last step, or given back: for the description of accesses in a report.
void note_taken(ResourceId lock);
void note_given_back(ResourceId lock);

inline void releases_lock(ResourceId id, model::HappensBefore::Side side = model::HappensBefore::kFirst) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.release(front.self(), sync_of(id), side);
  note_given_back(id);
}
inline void acquires_lock(ResourceId id) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.acquire(front.self(), sync_of(id));
  note_taken(id);
}

}  // namespace heddle::runtime
