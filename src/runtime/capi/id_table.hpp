// Maps the ids chosen by the caller, any 64-bit numbers, to our own indices.
//
// Open addressing; clearing the table between two executions is one increment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"

namespace heddle::runtime::capi {

class IdTable {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  void clear() {
    ++epoch_;
    used_ = 0;
  }

  /// kNone if it was not set.
  std::uint32_t find(std::uint64_t id) const {
    if (entries_.empty()) return kNone;
    const Entry& entry = entries_[slot(id)];
    return entry.epoch == epoch_ ? entry.value : kNone;
  }

  void set(std::uint64_t id, std::uint32_t value) {
    if (used_ * 2 >= entries_.size()) grow();
    Entry& entry = entries_[slot(id)];
    used_ += entry.epoch != epoch_;
    entry = {id, epoch_, value};
  }

 private:
  static constexpr std::size_t kFirstSize = 256;  // a power of two
  struct Entry {
    std::uint64_t id = 0;
    std::uint32_t epoch = 0;
    std::uint32_t value = kNone;
  };

  /// The slot that holds the id, or where it would be put.
  std::size_t slot(std::uint64_t id) const {
    std::size_t at = mix(id) & (entries_.size() - 1);
    while (entries_[at].epoch == epoch_ && entries_[at].id != id) at = (at + 1) & (entries_.size() - 1);
    return at;
  }

  void grow() {
    PageVector<Entry> old;
    for (const Entry& entry : entries_)
      if (entry.epoch == epoch_) old.push_back(entry);
    const std::size_t size = entries_.empty() ? kFirstSize : entries_.size() * 2;
    entries_.clear();
    entries_.resize(size);
    for (const Entry& entry : old) entries_[slot(entry.id)] = entry;
  }

  PageVector<Entry> entries_;  // the size is a power of two; at most half full
  std::uint32_t epoch_ = 1;    // entries of another epoch are free
  std::size_t used_ = 0;
};

}  // namespace heddle::runtime::capi
