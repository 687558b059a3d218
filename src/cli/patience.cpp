#include "cli/patience.hpp"

#include <algorithm>

namespace heddle::cli {
namespace {

using std::chrono::milliseconds;

constexpr Patience::Duration kAtFirst = milliseconds(5000);
constexpr Patience::Duration kInShortRun = milliseconds(2000);
constexpr Patience::Duration kAtLeast = milliseconds(500);
constexpr Patience::Duration kPokeAtFirst = milliseconds(1000);
constexpr Patience::Duration kPokeAtLeast = milliseconds(100);
constexpr int kTimesLongest = 4;

}  // namespace

Patience::Duration Patience::limit() const {
  if (ended_ != 0) return std::clamp(kTimesLongest * longest_, kAtLeast, kAtFirst);
  return budget_ == Duration::zero() ? kAtFirst : std::clamp(budget_ / 2, kInShortRun, kAtFirst);
}

Patience::Duration Patience::poke_after() const {
  return poked_ ? std::clamp(kTimesLongest * longest_, kPokeAtLeast, kPokeAtFirst) : kPokeAtFirst;
}

Patience::Advice Patience::look(const Sign& sign, Time now, bool cannot_move) {
  if (sign.begun != last_.begun) {
    if (last_.begun != 0 && !ends_ && now - moved_ < poke_after()) longest_ = std::max(longest_, now - began_);
    began_ = now;
    ends_ = false;
  }
  if (sign != last_ || !sign.runs) {
    last_ = sign;
    moved_ = now;
    return Advice::wait;
  }
  if (now - moved_ >= (cannot_move ? std::min(limit(), poke_after()) : limit())) {
    ended_ += !ends_;
    ends_ = true;
    moved_ = now;
    return Advice::end;
  }
  if (now - moved_ < poke_after()) return Advice::wait;
  poked_ = true;
  return Advice::poke;
}

}  // namespace heddle::cli
