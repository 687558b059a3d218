// The ways in which a program can misuse a primitive. Verdicts, `Options::allow` and HEDDLE_ALLOW use the names of this
// one table. A name may be added but never changed.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::model {

enum class Misuse : std::uint8_t {
  unlock_not_owner,    // of a lock that another operation holds
  unlock_unlocked,     // of a lock that is not held
  relock,              // of a non-recursive lock, by the operation that holds it
  destroy_in_use,      // of an object that is held or waited for
  use_after_destroy,   // without reinitialising it
  double_init,         // of an object that is in use, or was initialised before and not destroyed
  wait_without_mutex,  // on a condition
  two_mutexes,         // with one condition, at the same time
  join_twice,          // or while another operation joins it
  join_detached,
  join_unknown,  // no operation has this handle
  join_self,
  detach_twice,        // or after it was joined
  barrier_count,       // zero, more than an int holds, or fewer than are waiting
  semaphore_overflow,  // beyond SEM_VALUE_MAX
  kCount
};

std::string_view name(Misuse misuse);
/// The misuse with this name, or kCount.
Misuse misuse_named(std::string_view name);

/// The misuses that a user allows.
class MisuseSet {
 public:
  void add(Misuse misuse) { bits_ |= bit(misuse); }
  bool has(Misuse misuse) const { return (bits_ & bit(misuse)) != 0; }

 private:
  static constexpr std::uint32_t bit(Misuse misuse) { return 1u << static_cast<unsigned>(misuse); }

  std::uint32_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Misuse::kCount) <= 32);

/// Parses a comma-separated list. `unknown` receives the first word that is not a name, if any.
MisuseSet misuses_in(std::string_view list, std::string_view& unknown);

}  // namespace heddle::model
