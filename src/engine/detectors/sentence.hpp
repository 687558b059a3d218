// The sentence of a verdict, made while the program under test stands still: nothing is allocated.
#pragma once

#include <cstddef>

#include "base/ids.hpp"
#include "engine/scheduler.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// Appends to a text of fixed size; what does not fit is left out.
class Sentence {
 public:
  template <std::size_t kSize>
  explicit Sentence(char (&text)[kSize]) : text_(text), size_(kSize) {
    text[0] = '\0';
  }

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...);

 private:
  char* text_;
  std::size_t size_;
  std::size_t length_ = 0;
};

/// Its place among the resources of its kind, from 1, as the report numbers them.
unsigned ordinal(const Scheduler& scheduler, ResourceId id);

/// `mutex`, `read-write lock`.
const char* words_for(model::ResourceKind kind);

/// `mutex m1`, `T1`.
struct Described {
  char text[40];
};
Described described(const Scheduler& scheduler, ResourceId id);

}  // namespace heddle::engine
