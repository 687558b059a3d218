// What parts of memory looked like at one moment, and putting them back to that.
//
// Small parts are copied back whole each time: to find out what changed in them would cost more. Of large parts only
// touched pages are copied back. A page that was touched once stays writable and is copied back from then on, so an
// execution that touches what others did takes no page fault. When such pages have become many more than one execution
// touches, all are watched anew.
#pragma once

#include <cstddef>

#include "base/page_vector.hpp"
#include "engine/touched_pages.hpp"

namespace heddle::engine {

class SavedMemory {
 public:
  /// See TouchedPages.
  explicit SavedMemory(int first_descriptor) : touched_(first_descriptor) {}
  ~SavedMemory();
  SavedMemory(const SavedMemory&) = delete;
  SavedMemory& operator=(const SavedMemory&) = delete;

  void add(char* begin, char* end);
  std::size_t bytes() const { return bytes_; }
  bool has_large_parts() const { return !large_.empty(); }

  /// Keeps what is there now; once. With `none` everything is copied back each time.
  void take(PageTracking means);
  void put_back();

 private:
  struct Part {
    char* begin;
    char* end;
    const char* saved;
  };

  static void copy(const Part& part, char* begin, char* end);
  void put_back_touched();

  PageVector<Part> small_;
  PageVector<Part> large_;
  std::size_t bytes_ = 0;
  char* saved_ = nullptr;  // one part after the other
  TouchedPages touched_;
  PageVector<PageRange> found_;
  bool is_watched_ = false;
  bool is_first_look_ = true;    // since everything was last watched anew
  std::size_t first_pages_ = 0;  // that it found
};

}  // namespace heddle::engine
