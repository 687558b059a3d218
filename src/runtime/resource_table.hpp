// Maps the address of an object of the program to the resource that models it in this execution.
//
// The objects themselves are never written to while they live: a mutex that outlives the exploration is unchanged. Open
// addressing; clearing the table between two executions is one increment.
#pragma once

#include <cstdint>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/resource.hpp"

namespace heddle::runtime {

class ResourceTable {
 public:
  ResourceTable() { entries_.resize(kFirstSize); }

  void forget_all() {
    ++epoch_;
    used_ = 0;
  }

  /// kNoResource if this execution has not met the object.
  ResourceId find(const void* address, model::ResourceKind kind) const {
    const std::uint64_t key = key_of(address, kind);
    for (std::uint64_t at = start(key);; at = (at + 1) & (entries_.size() - 1)) {
      const Entry& entry = entries_[at];
      if (entry.epoch != epoch_) return kNoResource;
      if (entry.key == key) return entry.resource;
    }
  }

  /// With kNoResource: the object is gone, and the next one at that address is a different object.
  void set(const void* address, model::ResourceKind kind, ResourceId resource) {
    const std::uint64_t key = key_of(address, kind);
    for (std::uint64_t at = start(key);; at = (at + 1) & (entries_.size() - 1)) {
      Entry& entry = entries_[at];
      if (entry.epoch == epoch_ && entry.key != key) continue;
      const bool is_new = entry.epoch != epoch_;
      entry = {key, epoch_, resource};
      if (is_new && ++used_ * 2 > entries_.size()) grow();
      return;
    }
  }

 private:
  static constexpr std::size_t kFirstSize = 1024;  // a power of two
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t epoch = 0;
    ResourceId resource = kNoResource;
  };

  static std::uint64_t key_of(const void* address, model::ResourceKind kind) {
    return reinterpret_cast<std::uint64_t>(address) << 4 | static_cast<std::uint64_t>(kind);
  }
  std::uint64_t start(std::uint64_t key) const { return (key * kGolden >> 40) & (entries_.size() - 1); }

  void grow() {
    PageVector<Entry> old;
    old.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      old[i] = entries_[i];
      entries_[i] = {};
    }
    entries_.resize(entries_.size() * 2);
    used_ = 0;
    for (const Entry& entry : old) {
      if (entry.epoch != epoch_) continue;
      std::uint64_t at = start(entry.key);
      while (entries_[at].epoch == epoch_) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = entry;
      ++used_;
    }
  }

  PageVector<Entry> entries_;  // the size is a power of two; less than half full
  std::uint32_t epoch_ = 1;    // entries of another epoch are empty
  std::size_t used_ = 0;
};

}  // namespace heddle::runtime
