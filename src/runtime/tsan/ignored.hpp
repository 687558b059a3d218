// Pairs of places whose races do not count, because the user's suppressions cover them.
//
// An execution cannot look up the names of its frames. It ends at the first race that it does not know. The exploring
// process looks up the names once. If the race is suppressed, the pair is added here, and the execution is run again
// and goes on. A pair is identified by the low bits of both places, because that is what is kept of an access. As under
// ThreadSanitizer, such a race orders nothing, so it hides no other race. The processes of an exploration share the
// pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/page_vector.hpp"

namespace heddle::runtime {

class IgnoredRaces {
 public:
  using Pair = std::uint64_t;
  static Pair pair_of(std::uint32_t one, std::uint32_t other) {
    return one < other ? std::uint64_t{one} << 32 | other : std::uint64_t{other} << 32 | one;
  }

  /// Called before an exploration, and before any process is forked that will share the pairs: there are none yet.
  void begin() {
    shared().pairs.clear();
    shared().may_come = false;
  }
  /// The user has suppressions: the places of a race must be exact from the first execution on.
  void expect() { shared().may_come = true; }
  bool may_come() const { return shared_ != nullptr && (shared_->may_come || !shared_->pairs.empty()); }
  bool any() const { return shared_ != nullptr && !shared_->pairs.empty(); }
  bool has(Pair pair) const;
  void add(Pair pair);

  /// The race that ended the last execution that ended with one.
  void found(Pair pair) { shared().last = pair; }
  Pair last() { return shared().last; }

  /// All pairs as `module+0x1a2b/module+0x1a4c`, separated by blanks.
  std::string text() const;
  /// Adds the pairs written by `text`.
  void add_all(const std::string& text);

 private:
  struct Shared {
    CommonVector<Pair> pairs;
    Pair last = 0;
    bool may_come = false;
  };
  Shared& shared();

  Shared* shared_ = nullptr;
};

}  // namespace heddle::runtime
