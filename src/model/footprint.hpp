// Everything that one step touched. The order of two steps matters only if they touched something in common.
//
// A footprint is recorded while the step happens, by the code that makes each change (the scheduler, the primitives).
// So it holds what the step did, not what its kind might do. It has a fixed number of parts. A step that touches more,
// or something that cannot be named, counts as touching everything. The cost is paid only where a strategy asks for it.
//
// Two steps of different operations are independent if no part of one meets a part of the other. That is a promise:
// both orders lead to the same state, and neither step can block the other. tests/oracle runs both orders.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/event_table.hpp"
#include "model/resource.hpp"

namespace heddle::model {

struct Part {
  enum class Of : std::uint8_t {
    resource,    // by the address and kind of its object, or by its id if it has no address
    operation,   // its progress: where it is, whether it is to be cancelled
    bytes,       // of memory, by address
    descriptor,  // the object behind one, by the object's number; 0 may be any
    clock,       // virtual time
    joiner,      // of an operation, named like its resource: which operation may join it. Its end does not touch that
  };
  Of of = Of::resource;
  Does does = Does::nothing;
  std::uint32_t size = 1;  // of bytes
  std::uint64_t what = 0;

  friend constexpr bool meet(const Part& a, const Part& b) {
    if (a.of != b.of || (only_looks(a.does) && only_looks(b.does))) return false;
    if (a.of == Of::descriptor && (a.what == 0 || b.what == 0)) return true;
    return a.what < b.what + b.size && b.what < a.what + a.size;
  }
};

class Footprint {
 public:
  static constexpr std::uint32_t kPartsMax = 8;

  /// Begins the footprint of a step of this operation. Each step reads the progress of its own operation.
  void begin(OperationId who) {
    count_ = 0;
    who_ = who;
    everything_ = pauses_ = false;
  }
  void add_everything() { everything_ = true; }
  bool is_everything() const { return everything_; }
  /// A pause: its position among all other steps decides which operations its own must wait behind. No operation can
  /// observe that, but a search that swaps a pause with any other step may be led elsewhere.
  void add_pause() { pauses_ = true; }
  /// The parts beside the progress of its own operation.
  const Part* begin() const { return parts_; }
  const Part* end() const { return parts_ + count_; }
  std::uint32_t size() const { return count_; }

  void add(const Part& part) {
    if (count_ != 0) return add_to_others(part);
    parts_[count_++] = part;
  }
  /// The union with a footprint of the same operation, or with a prediction, which belongs to none.
  void add(const Footprint& other) {
    if (other.who_ != kNoOperation) who_ = other.who_;
    everything_ |= other.everything_;
    pauses_ |= other.pauses_;
    for (const Part& part : other) add(part);
  }

  static Part of(OperationId id, Does does) { return {Part::Of::operation, does, 1, index(id)}; }
  /// Named by address: resource ids follow the order in which an execution meets the resources, which depends on the
  /// schedule.
  static Part of(const void* address, ResourceKind kind, Does does) {
    return {Part::Of::resource, does, 1,
            std::uint64_t{reinterpret_cast<std::uintptr_t>(address)} << 8 | static_cast<std::uint64_t>(kind)};
  }
  static Part of(const Resource& resource, ResourceId id, Does does) {
    if (resource.address != nullptr) return of(resource.address, resource.kind, does);
    return {Part::Of::resource, does, 1, ~std::uint64_t{index(id)}};
  }

  /// Which operation may join the one that has this lifetime.
  static Part joiner_of(const Resource& lifetime, ResourceId id, Does does) {
    Part part = of(lifetime, id, does);
    part.of = Part::Of::joiner;
    return part;
  }

  /// Can the order of the two be observed?
  friend bool meet(const Footprint& a, const Footprint& b) {
    if (a.everything_ || b.everything_ || a.moves(b.who_) || b.moves(a.who_)) return true;
    for (const Part& one : a)
      for (const Part& other : b)
        if (meet(one, other)) return true;
    return false;
  }
  /// As above; or can the order decide which operations are offered later?
  friend bool dependent(const Footprint& a, const Footprint& b) { return a.pauses_ || b.pauses_ || meet(a, b); }

 private:
  void add_to_others(const Part& part) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      Part& known = parts_[i];
      if (known.of != part.of || known.what != part.what || known.size != part.size) continue;
      if (only_looks(known.does)) known.does = part.does;
      return;
    }
    if (count_ == kPartsMax)
      everything_ = true;
    else
      parts_[count_++] = part;
  }
  bool moves(OperationId who) const {
    for (const Part& part : *this)
      if (part.of == Part::Of::operation && part.what == index(who) && !only_looks(part.does)) return true;
    return false;
  }

  Part parts_[kPartsMax];
  std::uint32_t count_ = 0;
  OperationId who_ = kNoOperation;
  bool everything_ = false;
  bool pauses_ = false;
};

}  // namespace heddle::model
