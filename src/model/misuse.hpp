// The ways in which a program can misuse a primitive: one table, whose names are those of the verdicts, of
// `Options::allow` and of HEDDLE_ALLOW. A name may be added but never changed.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::model {

enum class Misuse : std::uint8_t {
  unlock_not_owner,    // of a lock that another operation holds
  unlock_unlocked,     // of a lock that nobody holds
  relock,              // of a lock that is not recursive, by who holds it
  destroy_in_use,      // of what is held or waited for
  use_after_destroy,   // without an initialisation between
  double_init,         // of what is in use, or was initialised before and not destroyed
  wait_without_mutex,  // for a condition
  two_mutexes,         // with one condition, at the same time
  join_twice,          // or while another operation joins it
  join_detached,
  join_unknown,  // no operation has that handle
  join_self,
  detach_twice,        // or after it was joined
  barrier_count,       // none, more than an int holds, or fewer than wait there
  semaphore_overflow,  // beyond SEM_VALUE_MAX
  kCount
};

std::string_view name(Misuse misuse);
/// The one with that name, or kCount.
Misuse misuse_named(std::string_view name);

/// Those that a user tolerates.
class MisuseSet {
 public:
  void add(Misuse misuse) { bits_ |= bit(misuse); }
  bool has(Misuse misuse) const { return (bits_ & bit(misuse)) != 0; }

 private:
  static constexpr std::uint32_t bit(Misuse misuse) { return 1u << static_cast<unsigned>(misuse); }

  std::uint32_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Misuse::kCount) <= 32);

/// Those in a list with commas between. `unknown` becomes the first word in it that is no name, if there is one.
MisuseSet misuses_in(std::string_view list, std::string_view& unknown);

}  // namespace heddle::model
