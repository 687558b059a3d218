// Names that hold from one execution to the next, for strategies that learn.
//
// An operation is identified by its parent and its index among its siblings, a resource by its address, and a site by
// the code that makes the event. Names are small numbers in the order of first sight. What a strategy does with them
// does not depend on where the program was loaded, so the same seed gives the same schedules in every process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

/// Maps keys to numbers. Beyond `kLimit` keys, new keys share the numbers of known ones.
class Interned {
 public:
  static constexpr std::uint32_t kLimit = 1u << 20;

  std::uint32_t operator()(std::uint64_t key) {
    key |= key == 0;  // 0 marks an empty slot
    if (slots_.empty()) [[unlikely]]
      slots_.resize(kFirst);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = spread(key) & mask;; at = (at + 1) & mask) {
      if (slots_[at].key == key) [[likely]]
        return slots_[at].name;
      if (slots_[at].key == 0) return add(key, at);
    }
  }

  static constexpr std::uint32_t kUnknown = ~0u;

  /// The name, without adding the key; kUnknown: not known.
  std::uint32_t find(std::uint64_t key) const {
    key |= key == 0;
    if (slots_.empty()) return kUnknown;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = spread(key) & mask;
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & mask;
    return slots_[at].key == key ? slots_[at].name : kUnknown;
  }

  std::uint32_t size() const { return size_; }

  void swap(Interned& other) {
    slots_.swap(other.slots_);
    std::swap(size_, other.size_);
  }
  void clear() {
    const std::size_t slots = slots_.size();
    slots_.clear();
    slots_.resize(slots);
    size_ = 0;
  }

 private:
  static constexpr std::size_t kFirst = 256;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t name = 0;
  };

  // Good enough for keys that are hashes, and for addresses.
  static std::size_t spread(std::uint64_t key) { return (key * kGolden) >> 32; }

  [[gnu::noinline]] std::uint32_t add(std::uint64_t key, std::size_t at) {
    if (size_ == kLimit) return static_cast<std::uint32_t>(mix(key) % kLimit);
    slots_[at] = {key, size_++};
    const std::uint32_t name = slots_[at].name;
    if (std::size_t{size_} * 2 > slots_.size()) grow();
    return name;
  }

  void grow() {
    CommonVector<Slot> old;
    old.swap(slots_);
    slots_.resize(old.size() * 2);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.key == 0) continue;
      std::size_t at = spread(slot.key) & mask;
      while (slots_[at].key != 0) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  CommonVector<Slot> slots_;  // the size is a power of two
  std::uint32_t size_ = 0;
};

class OperationNames {
 public:
  void begin() { of_.clear(); }

  std::uint32_t operator()(const ScheduleView& view, OperationId who) {
    while (of_.size() <= index(who)) [[unlikely]] meet(view, OperationId{static_cast<std::uint32_t>(of_.size())});
    return of_[index(who)].name;
  }
  /// The number of known operations of this execution.
  std::uint32_t met() const { return static_cast<std::uint32_t>(of_.size()); }
  std::uint32_t known(OperationId who) const { return of_[index(who)].name; }
  std::uint32_t size() const { return interned_.size(); }

 private:
  struct Met {
    std::uint32_t name = 0;
    std::uint32_t children = 0;
  };

  void meet(const ScheduleView& view, OperationId who) {
    std::uint64_t key = 1;
    if (const OperationId parent = view.parent(who); index(parent) < of_.size()) {
      Met& maker = of_[index(parent)];
      key = (maker.name + 1ull) << 32 | ++maker.children;
    }
    of_.push_back({interned_(key), 0});
  }

  CommonVector<Met> of_;  // indexed by operation
  Interned interned_;
};

class ResourceNames {
 public:
  static constexpr std::uint32_t kNone = 0;  // stands for no resource

  void begin() { of_.clear(); }

  std::uint32_t operator()(const ScheduleView& view, ResourceId id) {
    if (id == kNoResource) return kNone;
    if (of_.size() <= index(id)) [[unlikely]]
      of_.resize(index(id) + 1);
    std::uint32_t& name = of_[index(id)];
    if (name == kNone) [[unlikely]]
      name = 1 + interned_(key(view.resource(id), id));
    return name;
  }

 private:
  // The end of an operation has no address, so its number is used.
  static std::uint64_t key(const model::Resource& resource, ResourceId id) {
    const auto address = reinterpret_cast<std::uintptr_t>(resource.address);
    return combine(mix(address != 0 ? address : index(id) + 1ull), static_cast<std::uint64_t>(resource.kind));
  }

  CommonVector<std::uint32_t> of_;  // indexed by resource; kNone: not seen yet in this execution
  Interned interned_;
};

class SiteNames {
 public:
  std::uint32_t operator()(const model::Event& event) {
    return interned_(reinterpret_cast<std::uintptr_t>(event.place) * kGolden + static_cast<std::uint64_t>(event.kind) +
                     1);
  }
  std::uint32_t size() const { return interned_.size(); }

 private:
  Interned interned_;
};

}  // namespace heddle::strategy
