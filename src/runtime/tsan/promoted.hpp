// The places in the program's code whose plain accesses are scheduling points, because a race was seen there.
//
// A place found in an execution counts from the next one on, so that an execution can be run again as it was. The
// processes of an exploration share the places.
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
  /// Forgets the places that were found after there were `count`.
  void forget_after(std::size_t count);
  void add(const void* place);
  bool any() const { return in_use_ > 0; }
  bool has(const void* place) const;

  std::size_t size() const { return places_ != nullptr ? places_->size() : 0; }
  /// The number of places that count in this execution.
  std::size_t in_use() const { return in_use_; }

  /// The first `count` places as `module+0x1a2b`, separated by blanks. Leaves out places in code that is not loaded.
  std::string text(std::size_t count) const;
  /// Adds the places written by `text`.
  void add_all(const std::string& text);

 private:
  using Places = CommonVector<const void*>;

  Places& places();
  std::size_t find(const void* place) const;

  Places* places_ = nullptr;  // shared, as are the next two
  std::size_t* last_in_use_ = nullptr;
  bool* repeats_ = nullptr;
  std::size_t in_use_ = 0;
};

}  // namespace heddle::runtime
