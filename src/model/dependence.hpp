// Which events depend on each other, as far as that can be told before they happen: from their kinds and resources.
//
// For whoever samples or explains; what a step really did is its footprint (model/footprint.hpp), and only that is a
// reason to leave a schedule out. Errs on the side of yes.
#pragma once

#include <cstdint>

#include "model/event.hpp"
#include "model/resource.hpp"

namespace heddle::model {

/// Of accesses to two different resources: do they have bytes in common?
inline bool overlap(const Event& a, const Event& b, const Resource* resources) {
  const Resource& one = resources[index(a.resource)];
  const Resource& other = resources[index(b.resource)];
  const auto first = reinterpret_cast<std::uintptr_t>(one.address);
  const auto second = reinterpret_cast<std::uintptr_t>(other.address);
  return first < second + b.bytes && second < first + a.bytes;
}

/// By kinds and resources alone.
constexpr bool dependent(const Event& a, const Event& b) {
  const EventRow& one = row(a.kind);
  const EventRow& other = row(b.kind);
  if (touches_nothing(a.kind) || touches_nothing(b.kind)) return false;
  if (a.resource == kNoResource || b.resource == kNoResource) return true;
  if (one.of_descriptor && other.of_descriptor) return true;  // they may be two ends of one thing
  return a.resource == b.resource && !(only_looks(one.does) && only_looks(other.does));
}

/// The same where the resources are at hand: accesses of different sizes may have bytes in common.
inline bool dependent(const Event& a, const Event& b, const Resource* resources) {
  if (dependent(a, b)) return true;
  if (!row(a.kind).of_memory || !row(b.kind).of_memory || a.resource == b.resource) return false;
  return !(only_reads(a.kind) && only_reads(b.kind)) && overlap(a, b, resources);
}

}  // namespace heddle::model
