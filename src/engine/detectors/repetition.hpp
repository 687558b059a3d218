// Does a sequence of states come back to one that was there before, without passing anybody over?
//
// One state is kept and each that follows is compared with it; it is replaced after 1, 2, 4, 8 … states (Brent 1980).
// So a cycle is found after at most three times as many states as lead to it and make it up. A state is known by two
// numbers: one that is cheap to have, and one of the whole of it, which is asked for only where the cheap ones agree.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::engine {

class Repetition {
 public:
  /// The first that is kept is the state with this number.
  void begin(std::uint64_t first = 1) {
    members_.clear();
    looks_ = 0;
    keep_next_ = first;
    is_comparable_ = false;
  }

  /// Since the last state: this operation took a step; could take one; did something that its state does not show.
  void stepped(OperationId id) { member(id).stepped = true; }
  void was_enabled(OperationId id) { member(id).was_enabled = true; }
  void is_not_comparable() { is_comparable_ = false; }

  /// The next state. True: it is the one that was kept, and every operation that could take a step since then has.
  template <typename Whole>
  bool comes_again(std::uint64_t cheap, const Whole& whole) {
    ++looks_;
    if (is_comparable_ && cheap == kept_cheap_ && kept_ && is_fair() && whole() == kept_) return true;
    if (looks_ >= keep_next_) keep(cheap, whole());
    return false;
  }

  /// After it came again: how many steps lie between.
  std::uint64_t length() const { return looks_ - kept_at_; }
  bool is_member(std::uint32_t operation) const { return operation < members_.size() && members_[operation].stepped; }

 private:
  struct Member {
    bool was_enabled = false;
    bool stepped = false;
  };

  Member& member(OperationId id) {
    if (index(id) >= members_.size()) members_.resize(index(id) + 1);
    return members_[index(id)];
  }

  /// Stricter than it must be: an operation that could take a step only now and then must have taken one, too.
  bool is_fair() const {
    for (const Member& each : members_)
      if (each.was_enabled && !each.stepped) return false;
    return true;
  }

  void keep(std::uint64_t cheap, std::optional<std::uint64_t> whole) {
    for (Member& each : members_) each = {};
    kept_at_ = looks_;
    keep_next_ = 2 * looks_;
    kept_cheap_ = cheap;
    kept_ = whole;
    is_comparable_ = true;
  }

  PageVector<Member> members_;  // indexed by operation
  std::uint64_t looks_ = 0;
  std::uint64_t kept_at_ = 0;    // which look
  std::uint64_t keep_next_ = 1;  // the look at which another is kept
  std::uint64_t kept_cheap_ = 0;
  std::optional<std::uint64_t> kept_;  // nothing: of that state it could not be had
  bool is_comparable_ = false;
};

}  // namespace heddle::engine
