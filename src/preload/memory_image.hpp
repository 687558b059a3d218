// What the memory of the program looked like at one moment, and putting it back to that.
//
// Covers the writable segments of the program and its libraries, its heap, and its arguments and environment. Heddle's
// own memory is elsewhere and stays.
#pragma once

#include <cstddef>

#include "engine/saved_memory.hpp"
#include "preload/channel.hpp"

namespace heddle::preload {

class MemoryImage {
 public:
  /// Finds out what there is. False: to put so much back would take longer than a fresh copy does.
  bool find();
  /// Keeps what is there now.
  void take() { memory_.take(tracking_); }
  void put_back();

 private:
  void add_segments();
  void add_arguments();

  engine::SavedMemory memory_{kFirstOwnDescriptor};
  engine::PageTracking tracking_ = engine::PageTracking::none;
  std::size_t heap_bytes_ = 0;
};

}  // namespace heddle::preload
