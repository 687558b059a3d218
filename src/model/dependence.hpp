// Predicts what an event will touch before it happens, and so which events depend on each other.
//
// `predict` uses what the event names, its kind (model/event_table.hpp) and the state of its resource. It
// over-approximates: the prediction includes everything that the event then touches (model/footprint.hpp), so events
// that are not predicted to be dependent are independent. tests/oracle compares the two at every step.
//
// The prediction leaves out what an operation touches on its way to its next event, because the program decides that: a
// flag that it finds set, an object that it destroys. So predictions serve strategies that sample, and reports. Only
// footprints justify leaving out a schedule.
//
// One event can enable or disable another only if they are dependent.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/event.hpp"
#include "model/footprint.hpp"
#include "model/resource.hpp"

namespace heddle::model {

/// What the event names: its resource, its bytes, or a descriptor and the object behind it.
inline void add_named(Footprint& footprint, const Event& event, const Resource* resources) {
  const EventRow& row = model::row(event.kind);
  const Does to_object = only_looks(row.does) ? Does::reads : Does::writes;
  if (event.resource == kNoResource) {
    if (row.touches_anything) footprint.add_everything();
    return;
  }
  if (row.does == Does::nothing) return;
  const Resource& at = resources[index(event.resource)];
  if (at.kind == ResourceKind::variable) {
    const auto address = reinterpret_cast<std::uintptr_t>(at.address);
    const std::uint32_t bytes = event.bytes == Event::kMany ? ~0u : std::max<std::uint32_t>(event.bytes, 1);
    footprint.add({Part::Of::bytes, row.does, bytes, address});
  } else if (at.kind == ResourceKind::descriptor) {
    footprint.add(Footprint::of(at, event.resource, row.does == Does::ends ? Does::ends : Does::reads));
    footprint.add({Part::Of::descriptor, to_object, 1, at.descriptor.object});
  } else {
    footprint.add(Footprint::of(at, event.resource, row.does));
    if (at.kind == ResourceKind::operation && row.does != Does::ends)
      footprint.add(Footprint::joiner_of(at, event.resource, row.does));
  }
}

/// What else the event touches because of its kind.
inline void add_reached(Footprint& footprint, const Event& event, const Resource* resources) {
  const EventRow& row = model::row(event.kind);
  const Resource* at = event.resource != kNoResource ? &resources[index(event.resource)] : nullptr;
  if (row.expires && (at == nullptr || !at->admits(kOutsideOwner, event.kind)))
    footprint.add({Part::Of::clock, Does::writes, 1, 0});
  switch (row.reaches) {
    case Reaches::nothing:
      return;
    case Reaches::its_mutex:
    case Reaches::its_mutex_too: {
      const ResourceId mutex = at->condition.expected_mutex();
      if (at->condition.expects_several())
        footprint.add_everything();
      else if (mutex != kNoResource)
        footprint.add(Footprint::of(resources[index(mutex)], mutex,
                                    row.reaches == Reaches::its_mutex ? Does::gives_back : Does::reads));
      return;
    }
    case Reaches::its_word:
      footprint.add(
          {Part::Of::bytes, Does::reads, sizeof(std::uint32_t), reinterpret_cast<std::uintptr_t>(at->address)});
      return;
    case Reaches::clock:
      footprint.add({Part::Of::clock, Does::writes, 1, 0});
      return;
    case Reaches::its_locks:
      if (at != nullptr && at->lifetime.leaves_locks()) footprint.add_everything();
      return;
    case Reaches::anything:
      footprint.add_everything();
      return;
  }
}

/// Everything the event may touch, apart from the state of its own operation.
inline Footprint predict(const Event& event, const Resource* resources) {
  Footprint footprint;
  add_named(footprint, event, resources);
  add_reached(footprint, event, resources);
  if (row(event.kind).of_descriptor)  // it may be one end of something whose other end has another name
    footprint.add({Part::Of::descriptor, Does::writes, 1, Descriptor::kAny});
  return footprint;
}

/// For accesses to two different resources: do they share bytes?
inline bool overlap(const Event& a, const Event& b, const Resource* resources) {
  const auto first = reinterpret_cast<std::uintptr_t>(resources[index(a.resource)].address);
  const auto second = reinterpret_cast<std::uintptr_t>(resources[index(b.resource)].address);
  return first < second + b.bytes && second < first + a.bytes;
}

/// Decides by kinds and resource names alone, where nothing else is known.
constexpr bool dependent(const Event& a, const Event& b) {
  const EventRow& one = row(a.kind);
  const EventRow& other = row(b.kind);
  if (touches_nothing(a.kind) || touches_nothing(b.kind)) return false;
  if (a.resource == kNoResource || b.resource == kNoResource) return true;
  if (one.of_descriptor && other.of_descriptor) return true;  // they may be two ends of one object
  return a.resource == b.resource && conflict(one.does, other.does);
}

/// Decides by predicted footprints. The usual cases are decided without building them.
inline bool dependent(const Event& a, const Event& b, const Resource* resources) {
  if (dependent(a, b)) return true;
  if (reaches_beyond(a.kind) || reaches_beyond(b.kind)) [[unlikely]]
    return meet(predict(a, resources), predict(b, resources));
  if (!row(a.kind).of_memory || !row(b.kind).of_memory || a.resource == b.resource) return false;
  return conflict(row(a.kind).does, row(b.kind).does) && overlap(a, b, resources);
}

/// Can `one` enable `other`, at which an operation is blocked?
inline bool can_enable(const Event& one, const Event& other, const Resource* resources) {
  return row(other.kind).standing != Standing::never && dependent(one, other, resources);
}

/// Can `one` disable `other`, which is possible now?
inline bool can_disable(const Event& one, const Event& other, const Resource* resources) {
  const Standing standing = row(other.kind).standing;
  return (standing == Standing::until_free || standing == Standing::until_given) && !gives_back(one.kind) &&
         dependent(one, other, resources);
}

/// Does the event use its resource in a way that another operation could do first? Only its holder can release a lock.
constexpr bool competes(const Event& event) {
  return event.resource != kNoResource && row(event.kind).does != Does::nothing && !gives_back(event.kind);
}
constexpr bool changes(const Event& event) { return !only_reads(event.kind); }

}  // namespace heddle::model
