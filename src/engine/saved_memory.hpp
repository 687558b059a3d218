// Saves the contents of parts of memory at one moment and restores them later.
//
// Small parts are copied back whole each time: finding out what changed in them would cost more. Of large parts, only
// touched pages are copied back. A page that was touched once stays writable and is copied back from then on, so an
// execution that touches the same pages as earlier ones takes no page fault. When there are many more such pages than
// one execution touches, all pages are watched anew.
#pragma once

#include <cstddef>

#include "base/page_vector.hpp"
#include "engine/touched_pages.hpp"

namespace heddle::engine {

class SavedMemory {
 public:
  SavedMemory() = default;
  ~SavedMemory();
  SavedMemory(const SavedMemory&) = delete;
  SavedMemory& operator=(const SavedMemory&) = delete;

  void add(char* begin, char* end);
  std::size_t bytes() const { return bytes_; }
  bool has_large_parts() const { return !large_.empty(); }

  /// Saves the current contents; called once. With `none`, everything is copied back each time.
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
  char* saved_ = nullptr;  // the parts, one after the other
  TouchedPages touched_;
  PageVector<PageRange> found_;
  bool is_watched_ = false;
  bool is_first_look_ = true;    // since everything was last watched anew
  std::size_t first_pages_ = 0;  // that it found
};

}  // namespace heddle::engine
