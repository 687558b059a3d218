// What the primitives tell the watch over memory: who learns from whom. Costs a load where nothing is watched.
#pragma once

#include "races/order.hpp"
#include "runtime/front.hpp"

namespace heddle::runtime {

/// Does the program tell of its accesses, and is somebody interested?
extern bool memory_is_watched;
extern races::Order memory_order;

/// The numbers by which resources are known there; 0 is everything outside the process, and what comes through it.
inline constexpr std::uint32_t kOutsideSync = 0;
inline std::uint32_t sync_of(ResourceId id) { return index(id) + 1; }

/// Is the call made by an operation whose accesses count?
inline bool is_watched() { return memory_is_watched && is_controlled(); }

/// What stands for the object there, whatever it is.
inline ResourceId variable_at(const volatile void* at) {
  return front.resource(const_cast<const void*>(at), model::ResourceKind::variable, [](model::Resource&) {});
}

/// The step taken last was at that object: it must not have been freed.
void check_still_there(ResourceId id);
inline void uses(ResourceId id) {
  if (memory_is_watched) [[unlikely]]
    check_still_there(id);
}

inline void releases(ResourceId id, races::Order::Side side = races::Order::kFirst) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.release(front.self(), sync_of(id), side);
}
inline void acquires(ResourceId id, races::Order::Side side = races::Order::kFirst) {
  if (!memory_is_watched) [[likely]]
    return;
  check_still_there(id);
  memory_order.acquire(front.self(), sync_of(id), side);
}

/// A lock is taken, in the step taken last, or given back: told to those who read of an access in a report.
void note_taken(ResourceId lock);
void note_given_back(ResourceId lock);

inline void releases_lock(ResourceId id, races::Order::Side side = races::Order::kFirst) {
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
