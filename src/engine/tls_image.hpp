// Saves the thread-local variables of a fresh thread, and restores a donor's variables to that state.
//
// Covers the static TLS blocks of the program and its libraries, which are at the same distance from the thread pointer
// in every thread. Excluded are libc and the loader (their block holds the heap's caches, which must outlive an
// execution) and heddle. A sanitizer's runtime, which marks there that its thread has ended, is restored like any
// other. TLS of libraries loaded later with dlopen is not static and is not restored: see docs/limits.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::engine {

class TlsImage {
 public:
  /// Saves anew if libraries were loaded or unloaded since. Starts its own thread for this, which is not under control.
  void refresh();
  void put_back(std::uintptr_t thread_pointer) const;

 private:
  // Offsets are relative to the thread pointer and negative.
  struct Word {
    std::ptrdiff_t offset;
    std::uint64_t value;
  };
  struct Half {
    std::ptrdiff_t offset;
    std::uint32_t value;
  };
  struct Segment {
    std::ptrdiff_t offset;
    const char* image;
    std::size_t image_bytes;  // the rest is zero
    std::size_t bytes;
  };
  struct Collector;

  void add(const Segment& segment);

  PageVector<Word> words_;  // of small segments
  PageVector<Half> halves_;
  PageVector<Segment> segments_;  // the others
  unsigned long long loads_seen_ = 0;
};

}  // namespace heddle::engine
