// What thread-local variables look like in a fresh thread, and putting a donor's back to that.
//
// Covers the static TLS blocks of the program and its libraries, which a thread has at the same distance from its
// thread pointer. Left alone are libc and the loader (their block holds the heap's caches, which must outlive an
// execution) and heddle. A sanitizer's runtime, which marks there that its thread has ended, is put back like any
// other. TLS of libraries loaded later with dlopen is not static and is not put back: see docs/limits.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::engine {

class TlsImage {
 public:
  /// Looks again if libraries have come or gone since. Starts a thread of its own for the look: not under control.
  void refresh();
  void put_back(std::uintptr_t thread_pointer) const;

 private:
  struct Segment {
    std::ptrdiff_t offset;  // from the thread pointer: negative
    const void* image;
    std::size_t image_bytes;  // the rest is zero
    std::size_t bytes;
  };
  struct Collector;

  PageVector<Segment> segments_;
  unsigned long long loads_seen_ = 0;
};

}  // namespace heddle::engine
