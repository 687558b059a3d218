// What executions have shown about accesses that are worth being scheduling points: the places in the program's code
// where a race was seen, and whether there are atomic accesses.
//
// A place found in an execution counts from the next one on, so that an execution can be run again as it was. The
// processes of an exploration share the places. `has` is asked at every plain access: it costs one look into a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/page_vector.hpp"

namespace heddle::runtime {

class Promoted {
 public:
  /// `again`: the last execution is run once more, with the places that counted then.
  void begin(bool again);
  /// While on, every execution is the last one once more, in whichever process it runs.
  void repeat(bool on);
  /// Forgets what a trial has shown: the places that were found after there were `count`, and the atomic accesses.
  void forget_after(std::size_t count);
  void add(const void* place);
  bool any() const { return in_use_ > 0; }
  bool has(const void* place) const;

  /// An operation comes to an atomic access, and another could go first.
  void saw_atomic() {
    if (shared_ != nullptr) shared_->has_atomics = true;
  }
  bool has_atomics() const { return shared_ != nullptr && shared_->has_atomics; }

  std::size_t size() const { return shared_ != nullptr ? shared_->places.size() : 0; }
  /// The number of places that count in this execution.
  std::size_t in_use() const { return in_use_; }

  /// The first `count` places as `module+0x1a2b`, separated by blanks. Leaves out places in code that is not loaded.
  std::string text(std::size_t count) const;
  /// Adds the places written by `text`.
  void add_all(const std::string& text);

 private:
  struct Shared {
    CommonVector<const void*> places;
    CommonVector<std::uint32_t> slots;  // open addressing, at most half full: index in `places` + 1; 0: empty
    std::size_t last_in_use = 0;
    bool repeats = false;
    bool has_atomics = false;
  };

  Shared& shared();
  std::uint32_t& slot_of(const void* place) const;
  void fill_slots(std::size_t slots);

  Shared* shared_ = nullptr;
  std::size_t in_use_ = 0;
};

}  // namespace heddle::runtime
