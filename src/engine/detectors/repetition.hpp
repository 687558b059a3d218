// Does a sequence of states return to an earlier state without passing over any operation?
//
// One state is kept and each following state is compared with it; the kept state is replaced after 1, 2, 4, 8 … states
// (Brent 1980). A cycle is therefore found after at most three times the number of states that lead to it and make it
// up. A state is identified by two numbers: a cheap one, and one for the whole state, which is computed only if the
// cheap numbers agree.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::engine {

class Repetition {
 public:
  /// `first` is the number of the first state that is kept.
  void begin(std::uint64_t first = 1) {
    members_.clear();
    looks_ = 0;
    keep_next_ = first;
    is_comparable_ = false;
  }

  /// Since the last state, this operation took a step; could take a step; did something that its state does not show.
  void stepped(OperationId id) { member(id).stepped = true; }
  void was_enabled(OperationId id) { member(id).was_enabled = true; }
  void is_not_comparable() { is_comparable_ = false; }

  /// Adds the next state. True: it equals the kept state, and every operation that could have taken a step since then
  /// has taken one.
  template <typename Whole>
  bool comes_again(std::uint64_t cheap, const Whole& whole) {
    ++looks_;
    if (is_comparable_ && cheap == kept_cheap_ && kept_ && is_fair() && whole() == kept_) return true;
    if (looks_ >= keep_next_) keep(cheap, whole());
    return false;
  }

  /// After a repetition: the number of steps in it.
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

  /// Stricter than necessary: an operation that could take a step only now and then must have taken one, too.
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
  std::uint64_t kept_at_ = 0;    // the number of the look
  std::uint64_t keep_next_ = 1;  // the look at which the next state is kept
  std::uint64_t kept_cheap_ = 0;
  std::optional<std::uint64_t> kept_;  // empty: the number could not be computed for that state
  bool is_comparable_ = false;
};

}  // namespace heddle::engine
