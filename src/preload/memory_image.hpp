// A snapshot of the program's memory, and restoring it.
//
// Covers the writable segments of the program and its libraries, its heap, and its arguments and environment. Heddle's
// own memory is elsewhere and is left alone.
#pragma once

#include <cstddef>

#include "engine/saved_memory.hpp"
#include "preload/channel.hpp"

namespace heddle::preload {

class MemoryImage {
 public:
  /// Finds the memory to cover. False: restoring that much would take longer than a fresh copy.
  bool find();
  /// Saves the current contents.
  void take() { memory_.take(tracking_); }
  void put_back();

 private:
  void add_segments();
  void add_arguments();

  engine::SavedMemory memory_;
  engine::PageTracking tracking_ = engine::PageTracking::none;
  std::size_t heap_bytes_ = 0;
};

}  // namespace heddle::preload
