// The sentence of a verdict. It is built while the program under test stands still, so nothing is allocated.
#pragma once

#include <cstddef>

#include "base/ids.hpp"
#include "engine/scheduler.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// Appends to a text of fixed size; anything that does not fit is left out.
class Sentence {
 public:
  template <std::size_t kSize>
  explicit Sentence(char (&text)[kSize]) : text_(text), size_(kSize) {
    text[0] = '\0';
  }

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...);
  /// Adds the name of the resource, as given by `described`, and returns its position.
  Mention mention(const Scheduler& scheduler, ResourceId id);

 private:
  char* text_;
  std::size_t size_;
  std::size_t length_ = 0;
};

/// Its number among the resources of its kind, from 1, as in the report.
unsigned ordinal(const Scheduler& scheduler, ResourceId id);

/// `mutex m1`, `T1`.
struct Described {
  char text[40];
};
Described described(const Scheduler& scheduler, ResourceId id);

}  // namespace heddle::engine
