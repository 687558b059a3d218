// Everything that one step touched: what two steps have to share for their order to matter.
//
// A footprint is written down while the step happens, by whatever changes something (the scheduler, the primitives), so
// it is what the step did and not what its kind might do. It has a fixed number of parts; a step that touches more, or
// something that cannot be named, touches everything. What it costs is paid only where a strategy asks for it.
//
// Two steps of different operations are independent if no part of one meets a part of the other. That is a promise: run
// in either order they lead to the same state, and neither can stop the other. tests/oracle runs both orders.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/event_table.hpp"
#include "model/resource.hpp"

namespace heddle::model {

struct Part {
  enum class Of : std::uint8_t {
    resource,    // by the address and kind of its object, or by its id if it has none
    operation,   // its course: where it stands, whether it is to be cancelled. Each step reads its own operation's
    bytes,       // of memory, by address
    descriptor,  // what is behind one, by the number of the object; 0 may be any
    clock,       // virtual time
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

  void clear() {
    count_ = 0;
    everything_ = false;
  }
  void add_everything() { everything_ = true; }
  bool is_everything() const { return everything_; }
  const Part* begin() const { return parts_; }
  const Part* end() const { return parts_ + count_; }

  void add(const Part& part) {
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
  void add(const Footprint& other) {
    everything_ |= other.everything_;
    for (const Part& part : other) add(part);
  }

  static Part of(OperationId id, Does does) { return {Part::Of::operation, does, 1, index(id)}; }
  /// Ids of resources are given in the order in which an execution meets them, which a schedule can change.
  static Part of(const void* address, ResourceKind kind, Does does) {
    return {Part::Of::resource, does, 1,
            std::uint64_t{reinterpret_cast<std::uintptr_t>(address)} << 8 | static_cast<std::uint64_t>(kind)};
  }
  static Part of(const Resource& resource, ResourceId id, Does does) {
    if (resource.address != nullptr) return of(resource.address, resource.kind, does);
    return {Part::Of::resource, does, 1, ~std::uint64_t{index(id)}};
  }

  /// Can the order of the two be observed?
  friend bool dependent(const Footprint& a, const Footprint& b) {
    if (a.everything_ || b.everything_) return true;
    for (const Part& one : a)
      for (const Part& other : b)
        if (meet(one, other)) return true;
    return false;
  }

 private:
  Part parts_[kPartsMax];
  std::uint32_t count_ = 0;
  bool everything_ = false;
};

}  // namespace heddle::model
