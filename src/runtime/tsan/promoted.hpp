// The places in the program's code whose plain accesses are scheduling points, because they were seen to race.
//
// What is found in an execution counts from the next one on, so that an execution can be run again as it was. The
// processes of an exploration share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/page_vector.hpp"

namespace heddle::runtime {

class Promoted {
 public:
  /// `again`: the last execution is run once more, with what counted then.
  void begin(bool again);
  void add(const void* place);
  bool any() const { return in_use_ > 0; }
  bool has(const void* place) const;

  std::size_t size() const { return places_ != nullptr ? places_->size() : 0; }
  /// How many of them count in this execution.
  std::size_t in_use() const { return in_use_; }

  /// The first of them as `module+0x1a2b`, with blanks between. A place in code that is not loaded is left out.
  std::string text(std::size_t count) const;
  /// Adds what `text` wrote.
  void add_all(const std::string& text);

 private:
  using Places = CommonVector<const void*>;

  Places& places();
  std::size_t find(const void* place) const;

  Places* places_ = nullptr;  // shared
  std::size_t* last_in_use_ = nullptr;
  std::size_t in_use_ = 0;
};

}  // namespace heddle::runtime
