// What the memory of the program looked like at one moment, and putting it back to that.
//
// Covers the writable segments of the program and its libraries, its heap, and its arguments and environment. Heddle's
// own memory is elsewhere and stays. All of it is copied back each time: of a small program it is a few pages, and to
// find out which of them changed would cost more.
#pragma once

#include <cstddef>

#include "base/page_vector.hpp"

namespace heddle::preload {

class MemoryImage {
 public:
  void take();
  void put_back() const;
  std::size_t bytes() const { return saved_.size(); }

 private:
  struct Region {
    char* begin;
    std::size_t bytes;
  };

  void add(char* begin, char* end);
  void add_segments();
  void add_arguments();

  PageVector<Region> regions_;
  PageVector<char> saved_;  // one after the other
  std::size_t heap_bytes_ = 0;
};

}  // namespace heddle::preload
